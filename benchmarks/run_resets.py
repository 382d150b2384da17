"""CPU seconds of our resets beside those of SUMO's own loading, in one process: see speed.py. Prints JSON."""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from run_ours import watching

from sumo_gymnasium.backends.options import command_line
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.envs.host import Host
from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.scenarios.scenario import Scenario

import libsumo  # isort: skip  # after this package, which imports traci first: see backends/libsumo.py

Cycle = Callable[[int], tuple[float, float]]  # takes a seed, gives CPU seconds of the begin and of begin and end


def measure(scenario: Scenario, folder: str, count: int) -> dict[str, tuple[float, float]]:
    """Means over `count` turns in which all take their part once; the turn before, the first, does not count."""
    cycles = {"sumo": _sumo(scenario, folder), "loop": _loop(scenario, folder), "host": _host(scenario)}
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in cycles}
    for seed in range(count + 1):
        for name, cycle in cycles.items():
            seconds[name].append(cycle(seed))
    return {name: (_mean(taken, 0), _mean(taken, 1)) for name, taken in seconds.items()}


def _mean(taken: list[tuple[float, float]], part: int) -> float:
    return statistics.fmean(pair[part] for pair in taken[1:])


def _timed(begin: Callable[[], object], end: Callable[[], object]) -> tuple[float, float]:
    start = time.process_time()
    begin()
    middle = time.process_time()
    end()
    return middle - start, time.process_time() - start


def _sumo(scenario: Scenario, folder: str) -> Cycle:
    """What SUMO itself needs: libsumo with the very options, and nothing around it."""

    def cycle(seed: int) -> tuple[float, float]:
        options = command_line(scenario, SumoConfig(), folder, seed)
        return _timed(lambda: libsumo.start(["sumo", *options]), libsumo.close)

    return cycle


def _loop(scenario: Scenario, folder: str) -> Cycle:
    """The loop: SUMO, the kernels, the first observations of all signals; no KPIs are read."""
    loop = watching(scenario, SumoConfig())
    return lambda seed: _timed(lambda: loop.reset(seed, folder), loop.close)


def _host(scenario: Scenario) -> Cycle:
    """What a user's reset after a reset does: also a folder for SUMO's files, and KPIs from them."""
    config = SumoConfig(host="inline")
    host = Host(watching(scenario, config), config)
    return lambda seed: _timed(lambda: host.reset(seed), host.finish)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario")
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=20)
    asked = parser.parse_args()
    Path(asked.folder).mkdir(parents=True, exist_ok=True)
    print(json.dumps(measure(scenario_of(asked.scenario), asked.folder, asked.count)))


if __name__ == "__main__":
    main()
