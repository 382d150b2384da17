"""Every controller on RESCO's networks, beside the figures that others published; README.md says what is compared."""

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import report

from sumo_gymnasium.controllers import CONTROLLERS
from sumo_gymnasium.evaluation import Comparison, compare
from sumo_gymnasium.scenarios.registry import scenario_of

MAPS = ("cologne1", "cologne3", "cologne8", "ingolstadt1", "grid4x4", "arterial4x4")
DELAY = "due_delay"
INTERVAL = 10.0  # s; RESCO's
PLAN, PRESSURE, GUARDED = "net's program", "max_pressure", "max_pressure_guarded"


class Published(NamedTuple):
    """A figure of somebody else's: delay of the vehicles that arrived, s."""

    who: str
    source: str
    delays: dict[str, str]


OLD, NEW = "RESCO, SUMO 1.9 (Ault & Sharon 2021)", "RESCO's code on SUMO 1.28, 10 s decisions, 3 s yellow"
PUBLISHED = (
    Published("fixed time", OLD, {"cologne1": "56.6", "cologne3": "46.4 (median 39.0)"}),
    Published("max pressure", NEW, {"cologne1": "23.5", "grid4x4": "46.7–47.8"}),
    Published("greedy", NEW, {"cologne1": "18.0–18.3", "grid4x4": "31.7–31.9"}),
    Published("IDQN, best / last 10", OLD, {"cologne1": "26.05 / 28.93", "grid4x4": "32.95 / 34.07"}),
    Published("IPPO, best / last 10", OLD, {"cologne3": "24.03 / 123.3", "grid4x4": "44.00 / 45.90"}),
    Published("MPLight, best / last 10", OLD, {"grid4x4": "46.91 / 47.94"}),
)
RERUN = {"cologne1": 23.5, "grid4x4": 47.8}  # s: what our max pressure has to reach


@dataclass(frozen=True)
class Goal:
    """What should hold, and whether it does."""

    text: str
    met: bool

    def __str__(self) -> str:
        """One line."""
        return f"{'met' if self.met else 'MISSED'}: {self.text}"


def run(
    map_: str, controllers: Sequence[str], seeds: Sequence[int], processes: int | None, seconds: float | None = None
) -> Comparison:
    """All controllers on one map, and the network's own program; for so many seconds, None: all there are."""
    scenario = f"resco-{map_}"
    end = None if seconds is None else scenario_of(scenario).begin + seconds
    settings = {"decision_interval": INTERVAL, "processes": processes, "end": end}
    program = compare({PLAN: _idle}, scenario, seeds, action="program", **settings)
    others = compare(list(controllers), scenario, seeds, **settings)
    return replace(others, results=(*program, *others))


def _idle(observation: object) -> int:
    return 0


def goals(map_: str, found: Comparison) -> Iterator[Goal]:
    """The goals that speak of this map."""
    mean = {result.policy: result.summary(DELAY) for result in found}
    pressure, plan = mean.get(PRESSURE), mean[PLAN]
    if pressure is not None and plan is not None:
        least = RERUN.get(map_, plan.mean)
        what = "RESCO's re-run" if map_ in RERUN else "the network's program"
        text = f"{map_}: max pressure {pressure.mean:.1f} s, {what} {least:.1f} s"
        yield Goal(text, pressure.mean <= least)
    for result in found:
        if result.policy == GUARDED:
            stuck = [episode.seed for episode in result.episodes if episode.kpis and episode.kpis["gridlock"]]
            yield Goal(f"{map_}: guarded max pressure in gridlock with the seeds {stuck or 'none'}", not stuck)


def table(comparisons: dict[str, Comparison]) -> str:
    """Delay of all due vehicles: mean (median), and in how many episodes there was gridlock."""
    policies = list(dict.fromkeys(result.policy for found in comparisons.values() for result in found))
    rows = [[policy, "", *(_cell(found, policy) for found in comparisons.values())] for policy in policies]
    theirs = [[row.who, row.source, *(row.delays.get(map_) for map_ in comparisons)] for row in PUBLISHED]
    return report.table(["controller", "source", *comparisons], [*rows, *theirs])


def _cell(found: Comparison, policy: str) -> str | None:
    result = found[policy]
    delay = result.summary(DELAY)
    if delay is None:
        return None
    stuck = f", {result.gridlocks} stuck" if result.gridlocks else ""
    failed = f", {len(result.crashed)} failed" if result.crashed else ""
    return f"{delay.mean:.1f} ({delay.median:.1f}){stuck}{failed}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--maps", nargs="+", default=list(MAPS), metavar="NAME")
    parser.add_argument("--controllers", nargs="+", default=list(CONTROLLERS), metavar="NAME")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3, 4, 5])
    parser.add_argument("--processes", type=int, default=None)
    parser.add_argument("--json", type=Path, help="a folder for the results")
    parser.add_argument("--quick", action="store_true", help="one map, 120 s, one seed: shows that it runs, no more")
    asked = parser.parse_args()
    if asked.quick:
        asked.maps, asked.controllers, asked.seeds = ["cologne1"], [PRESSURE, GUARDED], [1]
    logging.getLogger("sumo_gymnasium").setLevel(logging.ERROR)
    print(report.versions(), end="\n\n", flush=True)
    comparisons = {}
    for map_ in asked.maps:
        print(f"running {map_}", file=sys.stderr, flush=True)
        comparisons[map_] = run(map_, asked.controllers, asked.seeds, asked.processes, 120.0 if asked.quick else None)
        if asked.json:
            asked.json.mkdir(parents=True, exist_ok=True)
            (asked.json / f"{map_}.json").write_text(comparisons[map_].to_json(), encoding="utf-8")
    print(f"Delay of all vehicles due, s, mean (median) of seeds {asked.seeds}; decisions every {INTERVAL:g} s")
    print(table(comparisons), end="\n\n")
    reached = [goal for map_, found in comparisons.items() for goal in goals(map_, found)]
    print(*reached, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
