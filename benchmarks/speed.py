"""CPU seconds of this package against plain SUMO and sumo-rl on identical traffic; README.md says what is counted."""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import report
import tripinfo
from contenders import HERE, Contender, Task, contenders, make_venv

from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.registry import scenario_of

SCENARIOS = ("intersection-uniform", "resco-cologne1", "resco-cologne8", "resco-grid4x4", "resco-ingolstadt21")
PLAIN, INLINE, WORKER, ACTING, LIBSUMO, TRACI = (
    *("plain sumo", "ours, inline", "ours, worker", "ours, all act"),
    *("sumo-rl, libsumo", "sumo-rl, TraCI"),
)
OF_PLAIN = {"resco-grid4x4": 0.75, "resco-ingolstadt21": 0.9}  # goals of speed; elsewhere 0.8
ALL_ACT = {"resco-grid4x4": 0.6, "resco-ingolstadt21": 0.6}  # goals; elsewhere the ratio is only printed
OVER_TRACI = {"resco-cologne8": 8.0, "resco-grid4x4": 20.0}  # goals; elsewhere the ratio is only printed
SAME = 0.03  # more vehicle seconds than this are another traffic; SUMO is not quite reproducible, see README.md
SMALL = "intersection-uniform"  # here a worker has no goal


class Resets(NamedTuple):
    """Mean CPU seconds of a begin, and of a begin and an end: SUMO's, the loop's, the host's."""

    sumo: tuple[float, float]
    loop: tuple[float, float]
    host: tuple[float, float]


class Result(NamedTuple):
    """CPU seconds by contender: without steps, and of the steps. By what share traffic differed, where it did."""

    task: Task
    start: dict[str, float]
    steps: dict[str, float]
    different: dict[str, float]
    resets: Resets


class Goal(NamedTuple):
    """A ratio, and what it should be; None: no goal here."""

    ratio: float
    least: float | None = None
    most: float | None = None

    def __str__(self) -> str:
        """The ratio, and how it stands to the goal."""
        if self.least is not None:
            return f"{self.ratio:.2f} ({'met' if self.ratio >= self.least else 'MISSED'}: ≥ {self.least:g})"
        if self.most is not None:
            return f"{self.ratio:.2f} ({'met' if self.ratio <= self.most else 'MISSED'}: ≤ {self.most:.3g})"
        return f"{self.ratio:.2f}"


def run(name: str, seconds: float, repeats: int, resets: int, field: Sequence[Contender]) -> Result:
    """All contenders in turn, `repeats` times."""
    with tempfile.TemporaryDirectory(prefix="speed-") as place:
        task = _task(name, seconds, Path(place))
        starts: dict[str, list[float]] = {contender.name: [] for contender in field}
        totals: dict[str, list[float]] = {contender.name: [] for contender in field}
        different: dict[str, float] = {}
        for repeat in range(repeats):
            for contender in field:
                if contender.most is None or repeat < contender.most:
                    folder = Path(place) / f"{repeat}-{contender.name.replace(' ', '-').replace(',', '')}"
                    plain = contender is field[0]
                    total, steps_alone = _measure(contender, task, folder / "run", steps=True)
                    start = (
                        _measure(contender, task, folder / "start", steps=False)[0] if plain else total - steps_alone
                    )
                    starts[contender.name].append(start)
                    totals[contender.name].append(total)
                    more = _more_traffic(folder / "run", Path(place) / "0-plain-sumo" / "run")
                    if more is not None:
                        different[f"{contender.name}, repetition {repeat + 1}"] = more
        start = {contender: min(taken) for contender, taken in starts.items()}
        steps = {
            name: min(total - begun for total, begun in zip(taken, starts[name], strict=True))
            for name, taken in totals.items()
        }
        return Result(task, start, steps, different, _resets(task, Path(place) / "resets", resets))


def _task(name: str, seconds: float, place: Path) -> Task:
    """The seed is the one that this package gives SUMO; finding it out warms the file cache up."""
    scenario = scenario_of(name)
    end = min(scenario.begin + seconds, scenario.last)
    command = [sys.executable, str(HERE / "run_ours.py"), name, f"{end:g}", str(place / "warm-up"), "--no-steps"]
    return Task(name, end, int(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.split()[0]))


def _measure(contender: Contender, task: Task, folder: Path, steps: bool) -> tuple[float, float]:
    folder.mkdir(parents=True)
    return contender.run(task, folder, steps)


def _more_traffic(folder: Path, reference: Path) -> float | None:
    """By what share the vehicles were longer on the road; None if every row is the same."""
    ours, theirs = tripinfo.find(folder), tripinfo.find(reference)
    if tripinfo.difference(ours, theirs) is None:
        return None
    return tripinfo.vehicle_seconds(ours) / tripinfo.vehicle_seconds(theirs) - 1


def _resets(task: Task, folder: Path, count: int) -> Resets:
    command = [sys.executable, str(HERE / "run_resets.py"), task.name, str(folder), "--count", str(count)]
    return Resets(**json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))


def seconds_table(results: Sequence[Result], field: Sequence[Contender]) -> str:
    """CPU seconds of the simulated part; those of start-up in brackets."""
    names = [contender.name for contender in field]
    rows = [
        [
            *(result.task.name, _signals(result.task), f"{result.task.end - result.task.scenario.begin:g} s"),
            *(f"{result.steps[name]:.2f} ({result.start[name]:.2f})" for name in names),
        ]
        for result in results
    ]
    return report.table(["scenario", "signals", "simulated", *names], rows)


def ratios_table(results: Sequence[Result]) -> str:
    """The ratios that the goals speak of."""
    columns = ["scenario", "speed of plain sumo", "worker: speed of inline", "speed of plain sumo, all act"]
    if any(LIBSUMO in result.steps for result in results):
        columns += ["overhead of sumo-rl/libsumo's", "× faster than sumo-rl/TraCI"]
    return report.table(
        columns, [[result.task.name, *_ratios(result.task.name, result.steps, _acting(result))] for result in results]
    )


def _acting(result: Result) -> float:
    return next((more for run, more in result.different.items() if run.startswith(ACTING)), 0.0)


def _ratios(name: str, steps: Mapping[str, float], acting: float) -> list[Goal | None]:
    """`acting`: by what share the vehicles were longer on the road where all signals acted."""
    plain, ours = steps[PLAIN], steps[INLINE]
    goals = [
        _goal(plain, ours, least=OF_PLAIN.get(name, 0.8)),
        _goal(ours, steps[WORKER], least=None if name == SMALL else 0.9),
        _goal(plain * (1 + acting), steps[ACTING], least=ALL_ACT.get(name)),
    ]
    if LIBSUMO in steps:
        goals.append(_goal(ours - plain, steps[LIBSUMO] - plain, most=1 / 3))
    if TRACI in steps:
        goals.append(_goal(steps[TRACI], ours, least=OVER_TRACI.get(name)))
    return goals


def _goal(one: float, other: float, least: float | None = None, most: float | None = None) -> Goal | None:
    """None if the runs were too short to tell."""
    return Goal(one / other, least, most) if other > 0 else None


def resets_table(results: Sequence[Result]) -> str:
    """Milliseconds of CPU, and ratios to SUMO's own loading."""
    columns = ["scenario", "libsumo load, ms", "+ close", "loop reset, ms", "+ close", "env reset, ms", "+ KPIs, close"]
    columns += ["loop reset / load", "env reset + end / load + close"]
    return report.table(columns, [[result.task.name, *_reset_row(result.resets)] for result in results])


def _reset_row(resets: Resets) -> list[object]:
    spent = [f"{1000 * seconds:.1f}" for pair in resets for seconds in pair]
    return [
        *spent,
        Goal(resets.loop[0] / resets.sumo[0], most=1.1),
        Goal(resets.host[1] / resets.sumo[1], most=1.1),
    ]


def _signals(task: Task) -> int:
    return len(Kernel(task.scenario, SumoConfig()).traffic_light.ids)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenarios", nargs="+", default=list(SCENARIOS), metavar="NAME")
    parser.add_argument("--seconds", type=float, default=3600.0, help="simulated, at most")
    parser.add_argument("--repeats", type=int, default=5, help="of every run")
    parser.add_argument("--resets", type=int, default=20, help="to take the mean of")
    parser.add_argument("--without-sumo-rl", action="store_true", help="make no venv for it")
    parser.add_argument("--quick", action="store_true", help="60 s, once, 2 resets: shows that it runs, no more")
    asked = parser.parse_args()
    if asked.quick:
        asked.seconds, asked.repeats, asked.resets = 60.0, 1, 2
    if not asked.without_sumo_rl:
        make_venv()
    print(report.versions(), end="\n\n", flush=True)
    field = contenders(sumo_rl=not asked.without_sumo_rl)
    results = []
    for name in asked.scenarios:
        print(f"running {name}", file=sys.stderr, flush=True)
        results.append(run(name, asked.seconds, asked.repeats, asked.resets, field))
    print("CPU seconds of the simulated part (and of start-up), least of", asked.repeats, end="\n\n")
    print(seconds_table(results, field), ratios_table(results), resets_table(results), sep="\n\n", end="\n\n")
    different = {f"{result.task.name}, {run}": more for result in results for run, more in result.different.items()}
    told = [f"{run}: {more:+.2%} vehicle seconds" for run, more in different.items()]
    print("Traffic: " + (f"different rows in {'; '.join(told)}" if told else "identical rows in every tripinfo"))
    return 1 if any(abs(more) > SAME for run, more in different.items() if ACTING not in run) else 0


if __name__ == "__main__":
    sys.exit(main())
