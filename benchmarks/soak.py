"""Reliability: many resets, many envs at once, random networks, killed workers. Linux only; see README.md."""

import argparse
import faulthandler
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import processes
import report
from soak_networks import run_network

from sumo_gymnasium.envs.single import SingleAgentEnv
from sumo_gymnasium.envs.traffic_light import traffic_light
from sumo_gymnasium.errors import SumoGymnasiumError

GROWTH = 20.0  # MB over all resets, after the first tenth of them
STUCK = 300.0  # s without a sign of life: the script ends with a traceback of every thread and exit code 1
# where a process is killed: the worker, or the SUMO that traci talks to
KILLED = (*[("worker", "libsumo")] * 3, ("worker", "traci"), ("inline", "traci"))
KILL_WITHIN = 2.0  # s after a worker was seen first; it needs about 0.6 s to start
SHOWN = 5  # faults in a verdict


class Verdict(NamedTuple):
    """How one part went: it passed if there are no faults."""

    part: str
    figures: str
    faults: list[str]

    def __str__(self) -> str:
        """One line, and one for each of the first faults."""
        lines = [f"{'FAIL' if self.faults else 'PASS'} {self.part}: {self.figures}", *self.faults[:SHOWN]]
        more = len(self.faults) - SHOWN
        return "\n  ".join(lines + ([f"and {more} more"] if more > 0 else []))


def resets(count: int, host: str) -> Verdict:
    """Short episodes, every other one cut short by the next reset; memory must not grow."""
    env = traffic_light(host=host, end=20.0)
    memory: list[float] = []
    for number in range(count):
        _still_alive()
        _episode(env, seed=number, steps=99 if number % 2 else 2)
        if (number + 1) % max(1, count // 10) == 0:
            memory.append(processes.resident() + sum(map(processes.resident, processes.started())))
    env.close()
    growth = memory[-1] - memory[0]
    faults = [f"memory grew by {growth:.1f} MB, expected less than {GROWTH:g}"] if growth >= GROWTH else []
    course = " ".join(f"{each:.1f}" for each in memory)
    return Verdict(f"{count} resets, {host}", f"grew by {growth:.1f} MB ({course})", faults + _processes_left())


def alive(count: int, steps: int) -> Verdict:
    """Envs stepped in turn, two of each seed: these two must see the same, and others something else."""
    start = time.perf_counter()
    envs = [traffic_light() for _ in range(count)]
    try:
        seen = [[env.reset(seed=number // 2)[0]] for number, env in enumerate(envs)]
        for step in range(steps):
            _still_alive()
            for env, observations in zip(envs, seen, strict=True):
                observations.append(env.step(step // 4 % 4)[0])
        memory = processes.resident() + sum(map(processes.resident, processes.started()))
    finally:
        for env in envs:
            env.close()
    stories = [np.stack(observations).tobytes() for observations in seen]
    faults = [f"envs {one} and {one + 1} differ" for one in range(0, count - 1, 2) if stories[one] != stories[one + 1]]
    if len(set(stories)) != len({number // 2 for number in range(count)}):
        faults.append(f"{len(set(stories))} different stories of {(count + 1) // 2} seeds")
    figures = f"{steps} steps each, {memory:.0f} MB, {time.perf_counter() - start:.0f} s"
    return Verdict(f"{count} envs at once", figures, faults + _processes_left())


def networks(count: int, seconds: float) -> Verdict:
    """Random networks, random actions: of one signal through the env, then of all through the loop."""
    told: Counter[str] = Counter()
    faults = []
    for seed in range(count):
        _still_alive()
        with TemporaryDirectory(prefix="soak-") as folder:
            try:
                told.update(run_network(Path(folder), seed, seconds))
            except Exception as error:  # whatever it is, the next network shall run
                faults.append(f"network {seed}: {type(error).__name__}: {error}")
    figures = ", ".join(f"{number} {what}" for what, number in told.items())
    return Verdict(f"{count} random networks, {seconds:g} s each", figures, faults + _processes_left())


def kills(count: int) -> Verdict:
    """kill -9 of a process of ours at a random moment: our exception or none, and the env goes on after a reset."""
    outcomes: Counter[str] = Counter()
    faults = []
    for number in range(count):
        _still_alive()
        host, backend = KILLED[number % len(KILLED)]
        env = traffic_light(host=host, backend=backend, end=20.0)
        errors = [*_killed(env, Random(number)), *_mended(env)]
        outcomes.update({type(error).__name__ for error in errors} or {"unnoticed"})
        said = [repr(error) for error in errors if not isinstance(error, SumoGymnasiumError)] + _processes_left()
        faults += [f"kill {number} ({host}, {backend}): {each}" for each in said]
    figures = ", ".join(f"{outcome} {number} ×" for outcome, number in outcomes.items())
    return Verdict(f"{count} kills", figures, faults)


def _killed(env: SingleAgentEnv, random: Random) -> Iterator[Exception]:
    """What episodes raise until the kill has happened, and the first one after it: the kill may show only then."""
    killer = threading.Thread(target=_kill_one, args=(random,))
    killer.start()
    late = False
    while killer.is_alive() or not late:
        late = not killer.is_alive()
        try:
            _episode(env, seed=1, steps=random.choice((2, 99)))
        except Exception as error:
            yield error


def _mended(env: SingleAgentEnv) -> Iterator[Exception]:
    """What goes wrong once the kill has shown: nothing may."""
    try:
        _episode(env, seed=0, steps=99)
        env.close()
    except Exception as error:
        yield AssertionError(f"the env does not work after the kill: {error!r}")


def _kill_one(random: Random) -> None:
    while not (there := processes.started()):
        time.sleep(0.001)
    time.sleep(random.uniform(0, KILL_WITHIN))
    processes.kill(random.choice(sorted(processes.started()) or there))


def _episode(env: SingleAgentEnv, seed: int, steps: int) -> None:
    """Up to `steps` decisions, or to the end."""
    env.reset(seed=seed)
    env.action_space.seed(seed)
    for _ in range(steps):
        *_, truncated, _ = env.step(env.action_space.sample())
        if truncated:
            return


def _processes_left() -> list[str]:
    there = processes.left()
    for pid in there:
        processes.kill(pid)
    return [f"processes left: {there}"] if there else []


def _still_alive() -> None:
    faulthandler.dump_traceback_later(STUCK, exit=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resets", type=int, default=10_000, help="inline; 0 leaves a part out")
    parser.add_argument("--worker-resets", type=int, default=1_000)
    parser.add_argument("--alive", type=int, default=64, help="envs at once")
    parser.add_argument("--networks", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=300.0, help="simulated on each network")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--quick", action="store_true", help="20 resets, 4 envs, 3 networks for 60 s, 2 kills")
    asked = parser.parse_args()
    if asked.quick:
        asked.resets = asked.worker_resets = 20
        asked.alive, asked.networks, asked.seconds, asked.kills = 4, 3, 60.0, 2
    processes.mark()
    print(report.versions(), end="\n\n", flush=True)
    failed = False
    for verdict in _parts(asked):
        print(verdict, flush=True)
        failed |= bool(verdict.faults)
    return 1 if failed else 0


def _parts(asked: argparse.Namespace) -> Iterator[Verdict]:
    if asked.resets:
        yield resets(asked.resets, "inline")
    if asked.worker_resets:
        yield resets(asked.worker_resets, "worker")
    if asked.alive:
        yield alive(asked.alive, steps=20)
    if asked.networks:
        yield networks(asked.networks, asked.seconds)
    if asked.kills:
        yield kills(asked.kills)


if __name__ == "__main__":
    sys.exit(main())
