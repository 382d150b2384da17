"""Whether the fixed program through this package is the traffic of plain SUMO, to the last digit; see README.md."""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import report
import tripinfo

from sumo_gymnasium.backends.options import STATISTICS, TRIPINFO, command_line
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.envs.single import SingleAgentEnv
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.recording.kpis import read_kpis
from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.tools import binary, environment

import libsumo  # isort: skip  # after this package, which imports traci first: see backends/libsumo.py

SCENARIOS = (
    *("intersection-uniform", "resco-cologne1", "resco-cologne3", "resco-cologne8"),
    *("resco-grid4x4", "resco-ingolstadt1"),
)
# mean delay of all vehicles due in SUMO 1.28 with the fixed program, s, by SUMO's seed
DELAYS = {
    "resco-cologne1": {1: 43.0, 2: 42.6, 3: 43.3},
    "resco-cologne3": {1: 35.7, 2: 36.0, 3: 35.7},
    "resco-grid4x4": {1: 91.6, 2: 91.2, 3: 91.7},
}
TOLERANCE = 0.03
HEAPS = 8  # runs of plain SUMO, each with its heap in another order, of which one has to be the same as ours


class Pair(NamedTuple):
    """One episode of ours, and what plain SUMO makes of the same seed; `runs` of it until one was the same."""

    scenario: str
    seed: int
    sumo_seed: int
    rows: int
    runs: int
    difference: tripinfo.Difference | None
    delay: float


class Delay(NamedTuple):
    """A delay in s beside the one that is known."""

    scenario: str
    source: str
    measured: float
    known: float

    @property
    def off(self) -> float:
        """Relative error."""
        return self.measured / self.known - 1


def compare(name: str, seed: int, end: float | None, place: Path) -> Pair:
    """One episode through the env, in which nobody acts, and the same of plain SUMO, each in a new process."""
    scenario = scenario_of(name, end=end)
    settings: dict[str, Any] = {"signal": _signal(scenario), "action": "program", "host": "worker"}
    env = gymnasium.make(
        "sumo_gymnasium:SumoTrafficLight-v0", scenario=scenario, output_dir=str(place), **settings
    ).unwrapped
    assert isinstance(env, SingleAgentEnv)
    env.reset(seed=seed)
    truncated = False
    while not truncated:
        _, _, _, truncated, info = env.step(0)
    env.close()
    assert env.last_episode is not None
    sumo_seed, delay = env.last_episode.seed, info["kpis"]["due"]["delay"]
    (ours,) = place.glob(f"env-*/*/{TRIPINFO}")
    for more in range(HEAPS):
        plain_sumo(scenario, sumo_seed, place / f"plain-{more}", more)
        different = tripinfo.difference(ours, place / f"plain-{more}" / TRIPINFO)
        if different is None:
            break
    return Pair(name, seed, sumo_seed, len(tripinfo.rows(ours)), more + 1, different, delay)


def _signal(scenario: Scenario) -> str:
    """The first signal that could act; all keep their programs."""
    signals = Kernel(scenario, SumoConfig()).traffic_light
    return next(signal for signal in signals.ids if signals.phases(signal))


def plain_sumo(scenario: Scenario, seed: int, folder: Path, more: int = 0) -> None:
    """SUMO's own program with the options that decide about traffic, written out by hand: not from this package.

    It gets `more` variables in its environment. They mean nothing, but they move what SUMO keeps in its heap, and on
    some networks SUMO's traffic depends on that. A likely place is MSLink::recheckSetRequestInformation, which goes
    through pairs of conflicting links in the order of their memory addresses.
    """
    folder.mkdir(parents=True)
    files = ["--net-file", scenario.net_file, "--route-files", ",".join(scenario.route_files)]
    if scenario.additional_files:
        files += ["--additional-files", ",".join(scenario.additional_files)]
    span = [
        "--begin",
        f"{scenario.begin:g}",
        "--end",
        f"{scenario.last:g}",
        "--step-length",
        f"{scenario.step_length:g}",
    ]
    rules = ["--seed", str(seed), "--time-to-teleport", "-1", "--collision.action", "warn"]
    outputs = ["--tripinfo-output", str(folder / TRIPINFO), "--statistic-output", str(folder / STATISTICS)]
    outputs += ["--tripinfo-output.write-unfinished", "--tripinfo-output.write-undeparted"]
    command = [binary("sumo"), *files, *span, *rules, *outputs, "--no-step-log", "--no-warnings"]
    variables = {f"MORE_{number}": "" for number in range(more)}
    subprocess.run(command, env={**environment(), **variables}, check=True, stderr=subprocess.DEVNULL)


def restarts(name: str, seed: int, end: float | None, count: int) -> int:
    """How many different simulations bare libsumo makes of one seed, started `count` times in this process.

    It should be 1; but a heap that was used before may be in another order: see `plain_sumo`.
    """
    scenario = scenario_of(name, end=end)
    found = set()
    for _ in range(count):
        with tempfile.TemporaryDirectory(prefix="fidelity-") as folder:
            libsumo.start(["sumo", *command_line(scenario, SumoConfig(), folder, seed)])
            while libsumo.simulation.getTime() < scenario.last:
                libsumo.simulationStep()
            libsumo.close()
            found.add(tuple(tripinfo.rows(Path(folder) / TRIPINFO)))
    return len(found)


def delays(pairs: Sequence[Pair]) -> list[Delay]:
    """For the scenarios with known delays: plain SUMO's with the known seeds, and the mean of our episodes."""
    found = []
    for name, known in DELAYS.items():
        ours = [pair.delay for pair in pairs if pair.scenario == name]
        if ours:
            found += [Delay(name, f"plain, --seed {seed}", _plain_delay(name, seed), known[seed]) for seed in known]
            found.append(Delay(name, f"ours, mean of {len(ours)}", statistics.fmean(ours), _mean(known)))
    return found


def _mean(known: dict[int, float]) -> float:
    return statistics.fmean(known.values())


def _plain_delay(name: str, seed: int) -> float:
    scenario = scenario_of(name)
    with tempfile.TemporaryDirectory(prefix="fidelity-") as place:
        folder = Path(place) / "plain"
        plain_sumo(scenario, seed, folder)
        return read_kpis(folder, scenario.begin, scenario.last, alive=None).due.delay


def pairs_table(pairs: Sequence[Pair]) -> str:
    columns = ["scenario", "reset(seed)", "SUMO's seed", "vehicles", "tripinfo", "delay of all due, s"]
    return report.table(
        columns,
        [[pair.scenario, pair.seed, pair.sumo_seed, pair.rows, _told(pair), f"{pair.delay:.2f}"] for pair in pairs],
    )


def _told(pair: Pair) -> str:
    if pair.difference is None:
        return "identical" if pair.runs == 1 else f"identical to run {pair.runs} of plain SUMO"
    row, ours, theirs = pair.difference
    return f"DIFFERENT in row {row}: {ours.strip()} ≠ {theirs.strip()}"


def delays_table(found: Sequence[Delay]) -> str:
    columns = ["scenario", "run", "delay, s", "known, s", "off", "verdict"]
    return report.table(
        columns,
        [
            [*each[:2], f"{each.measured:.2f}", f"{each.known:.2f}", f"{each.off:+.1%}", _verdict(each)]
            for each in found
        ],
    )


def _verdict(delay: Delay) -> str:
    return "within 3 %" if abs(delay.off) <= TOLERANCE else "OFF"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenarios", nargs="+", default=list(SCENARIOS), metavar="NAME")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--seconds", type=float, help="simulated; None: all, and compare delays with the known ones")
    parser.add_argument("--restarts", type=int, default=10, help="of bare libsumo in one process; 0: none")
    parser.add_argument("--quick", action="store_true", help="one seed, 120 s, 2 restarts")
    asked = parser.parse_args()
    if asked.quick:
        asked.seeds, asked.seconds, asked.restarts = asked.seeds[:1], 120.0, 2
    print(report.versions(), end="\n\n", flush=True)
    ends = {name: _end(name, asked.seconds) for name in asked.scenarios}
    pairs = [_pair(name, seed, ends[name]) for name in asked.scenarios for seed in asked.seeds]
    print(pairs_table(pairs), end="\n\n", flush=True)
    found = delays(pairs) if asked.seconds is None else []
    if found:
        print(delays_table(found), end="\n\n")
    if asked.restarts:
        print(f"Different simulations of bare libsumo, one seed, {asked.restarts} starts in one process", end="\n\n")
        rows = [[name, restarts(name, asked.seeds[0], ends[name], asked.restarts)] for name in asked.scenarios]
        print(report.table(["scenario", "different"], rows), end="\n\n", flush=True)
    wrong = [pair for pair in pairs if pair.difference] + [delay for delay in found if abs(delay.off) > TOLERANCE]
    print("FAIL" if wrong else "PASS")
    return 1 if wrong else 0


def _end(name: str, seconds: float | None) -> float | None:
    return None if seconds is None else scenario_of(name).begin + seconds


def _pair(name: str, seed: int, end: float | None) -> Pair:
    with tempfile.TemporaryDirectory(prefix="fidelity-") as place:
        return compare(name, seed, end, Path(place))


if __name__ == "__main__":
    sys.exit(main())
