"""Figures of traffic that others published or measured, made again with this package; see README.md."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import report
from drives import drive
from numpy.typing import NDArray

from sumo_gymnasium import plots
from sumo_gymnasium.controllers.background import Background
from sumo_gymnasium.controllers.drivers import Noisy
from sumo_gymnasium.controllers.follower_stopper import FollowerStopper
from sumo_gymnasium.controllers.idm import Idm
from sumo_gymnasium.controllers.ovm import LinearOptimalVelocity
from sumo_gymnasium.envs.loop import Hook
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.modes import Modes, SpeedMode
from sumo_gymnasium.metrics.traffic import desired_velocity
from sumo_gymnasium.recording.trajectories import Recorder, read_trajectories

EXACT = 0.01  # relative tolerance of figures that a formula gives
HUMANS = Noisy(Idm(), sigma=0.2)
FREE = Modes(SpeedMode.AGGRESSIVE)  # the controller alone decides
FLOWS: Mapping[str, Any] = {"arrivals": "fixed", "depart_speed": 10}
FLOWS_RING = 230.4  # m; flow/networks/ring.py has four quarters of 57.5 m, and four junctions of 0.1 m besides
AV_SPEED = 3.40  # m/s
COLUMNS = ("figure", "what", "measured", "reference", "verdict")


class Figure(NamedTuple):
    """A number beside its reference: a band, ends included; `lowest` or `highest` may be infinite."""

    figure: int
    what: str
    unit: str
    measured: float
    lowest: float
    highest: float

    @property
    def met(self) -> bool:
        """Whether it is in the band."""
        return self.lowest <= self.measured <= self.highest


class Sizes(NamedTuple):
    """How much is simulated, s.

    Attributes:
        seeds: of each figure that chance decides.
        ring: until then; the second half counts.
        tamed: when the FollowerStopper begins, and when one looks back at as many s.
        merge: until then; the second half counts.
        bottleneck: what comes out is counted from, to.
    """

    seeds: Sequence[int]
    ring: float
    tamed: tuple[float, float, float]
    merge: float
    bottleneck: tuple[float, float]


FULL = Sizes((1, 2, 3), ring=600.0, tamed=(300.0, 900.0, 2400.0), merge=1800.0, bottleneck=(400.0, 2400.0))
QUICK = Sizes((1,), ring=60.0, tamed=(20.0, 60.0, 80.0), merge=100.0, bottleneck=(60.0, 120.0))


def near(figure: int, what: str, unit: str, measured: float, exact: float, tolerance: float = EXACT) -> Figure:
    """A number beside an exact one."""
    off = abs(exact) * tolerance
    return Figure(figure, what, unit, measured, exact - off, exact + off)


def equilibria(sizes: Sizes) -> Iterator[Figure]:
    """Figure 1: the speed at which IDM neither accelerates nor brakes."""
    end = sizes.ring / 2
    for length in (230.0, 260.0):
        done = drive({"name": "ring", "length": length}, end, 1, [Background(Idm())], FREE)
        speed = float(done.speeds(end - 10, end).mean())
        yield near(1, f"IDM on a ring of {length:g} m, mean speed", "m/s", speed, equilibrium(length))


def equilibrium(length: float, vehicles: int = 22, size: float = 5.0) -> float:
    """The root of IDM's acceleration on a ring, m/s; by bisection."""
    gap, low, high = length / vehicles - size, 0.0, 30.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if Idm().acceleration(middle, middle, gap) > 0 else (low, middle)
    return low


def waves(sizes: Sizes) -> Iterator[Figure]:
    """Figure 2: noise makes stop-and-go waves of equally spaced vehicles, and nothing does without it."""
    end = sizes.ring
    for length in (230.0, FLOWS_RING):
        runs = [
            drive({"name": "ring", "length": length}, end, seed, [Background(HUMANS)], FREE) for seed in sizes.seeds
        ]
        speeds = [done.speeds(end / 2, end) for done in runs]
        where = f"noisy IDM on {length:g} m, {_each(one.mean() for one in speeds)}"
        yield Figure(2, f"{where}: mean speed", "m/s", float(np.mean(speeds)), 2.41, 2.42)
        yield Figure(2, f"{where}: least speed", "m/s", float(np.min(speeds)), 0.0, 0.0)
    calm = drive({"name": "ring"}, end, 1, [Background(Idm())], FREE).speeds(end / 2, end)
    yield Figure(2, "IDM without noise on 230 m: std of speeds", "m/s", float(calm.std()), 0.0, 0.05)


def _each(values: Iterable[float]) -> str:
    """What each seed gives."""
    return "by seed " + ", ".join(f"{value:.4g}" for value in values)


class Tamer:
    """A hook: from `begin` on (s) FollowerStopper drives the first vehicle, and takes gaps for `extra` m longer."""

    def __init__(self, begin: float, extra: float = 0.0) -> None:
        self.begin, self.extra = begin, extra
        self.stopper = FollowerStopper(desired_speed=AV_SPEED)

    def __call__(self, kernel: Kernel) -> None:
        """After the humans' hook, so that it has the last word."""
        vehicles = kernel.vehicle
        first = vehicles.ids[0]
        leader = vehicles.leader(first)
        if kernel.simulation.time >= self.begin and leader is not None:
            speeds = vehicles.speed(first), vehicles.speed(leader.id)
            vehicles.drive(first, self.stopper.speed(*speeds, leader.gap + self.extra))


class Taming(NamedTuple):
    """A ring with a FollowerStopper, and where the last 300 s are looked at, each time s."""

    what: str
    length: float
    tamer: Tamer
    looks: tuple[float, ...]


def tamings(begin: float, look: float, end: float) -> Sequence[Taming]:
    """The FollowerStopper begins at `begin`; one looks at `look` and, where it takes long, at `end`; s."""
    return (
        Taming("", 230.0, Tamer(begin), (look, end)),
        Taming(", gaps taken for 2 m longer", 230.0, Tamer(begin, extra=2.0), (look,)),
        Taming("", 230.0, Tamer(begin / 2), (look - begin / 2,)),
    )


def tamed(sizes: Sizes) -> Iterator[Figure]:
    """Figure 3: one FollowerStopper among noisy humans; the wave goes, at once or in the end."""
    span = sizes.tamed[0]
    for case in tamings(*sizes.tamed):
        given = {"name": "ring", "length": case.length}
        hooks: Sequence[Hook] = (Background(HUMANS), case.tamer)
        runs = [drive(given, max(case.looks), seed, hooks, FREE) for seed in sizes.seeds]
        for at in case.looks:
            where = f"FollowerStopper from {case.tamer.begin:g} s on {case.length:g} m{case.what}, to {at:g} s"
            yield from _tamed(where, [done.speeds(at - span, at) for done in runs])


def _tamed(where: str, runs: Sequence[NDArray[Any]]) -> Iterator[Figure]:
    """The worst of the seeds."""
    means, stds = [float(run.mean()) for run in runs], [float(run.std()) for run in runs]
    worst = max(means, key=lambda mean: abs(mean - AV_SPEED))
    yield near(3, f"{where}, {_each(means)}: mean speed, the worst", "m/s", worst, AV_SPEED)
    yield Figure(3, f"{where}, {_each(stds)}: std, the worst", "m/s", max(stds), 0.0, 0.07)
    yield Figure(3, f"{where}: least speed", "m/s", float(np.min(runs)), 3.2, AV_SPEED)


def merges(sizes: Sizes) -> Iterator[Figure]:
    """Figure 4: the speed mode of what our IDM drives, on the merge; the second half of the time."""
    end = sizes.merge
    bands = {SpeedMode.NO_RED: (8.5, 8.7), SpeedMode.SAFE: (5.25, 5.35)}
    humans = {"as Flow's": {}, "of min gap 2 m, all alike": {"minGap": 2, "speedDev": 0}}
    for (whose, attributes), (mode, band) in product(humans.items(), bands.items()):
        given = {"name": "merge", "penetration": 0.1, "types": {"human": attributes}, **FLOWS}
        runs = [drive(given, end, seed, [Background(Idm(), "agent")], Modes(mode), 0.5) for seed in sizes.seeds]
        speeds = [float(done.speeds(end / 2, end).mean()) for done in runs]
        where = f"merge, 10 % our IDM with speed mode {mode:d}, humans {whose}, {_each(speeds)}"
        yield Figure(4, f"{where}: mean speed", "m/s", float(np.mean(speeds)), *band)


def bottlenecks(sizes: Sizes) -> Iterator[Figure]:
    """Figure 5: what comes out of the bottleneck."""
    begin, end = sizes.bottleneck
    for inflow, band in ((2300, (1541, 1548)), (2500, (1541, 1548)), (1600, (1562, 1577))):
        given = {"name": "bottleneck", "inflow": inflow, "penetration": 0, **FLOWS}
        flows = [drive(given, end, seed, step_length=0.5).outflow(begin, end) for seed in sizes.seeds]
        where = f"bottleneck, {inflow} veh/h in, {_each(flows)}"
        yield Figure(5, f"{where}: out", "veh/h", float(np.mean(flows)), *band)


def formulas(sizes: Sizes) -> Iterator[Figure]:
    """Figures 6 and 7: controllers at rest, and the reward of desired velocity."""
    rest = zip((10, 20, 30, 40, 50), (0.96, 0.99, 0.995556, 0.9975, 0.9984), strict=True)
    for gap, wanted in rest:
        yield near(6, f"IDM from rest, gap {gap} m", "m/s²", Idm().acceleration(0.0, 0.0, gap), wanted, 1e-6)
    for gap, wanted in ((5, 0.0), (10, 12.992308), (15, 25.984615), (0, 0.0)):
        found = LinearOptimalVelocity().acceleration(0.0, 0.0, gap)
        yield near(6, f"linear OVM from rest, gap {gap} m", "m/s²", found, wanted, 1e-6)
    one = desired_velocity([10.0] + [0.0] * 9, 10.0)
    yield near(7, "desired velocity, one of ten vehicles at the target", "", one, 1 - 90**0.5 / 10, 1e-9)


PARTS: Mapping[int, Callable[[Sizes], Iterator[Figure]]] = {
    1: equilibria,
    2: waves,
    3: tamed,
    4: merges,
    5: bottlenecks,
    6: formulas,
}


def pictures(folder: Path, sizes: Sizes) -> None:
    """The time-space diagram of a full-grown wave, and of a FollowerStopper that dissolves it."""
    begin, end, _ = sizes.tamed
    tamer = Tamer(begin, extra=2.0)
    notes = {"speed_mode": FREE.speed, "desired_speed": AV_SPEED, "sigma": HUMANS.sigma, "begin": begin, "extra": 2.0}
    drive({"name": "ring"}, end, 1, [Background(HUMANS), tamer, Recorder(folder, notes=notes)], FREE)
    newest = max(folder.glob("trajectories-*.csv.gz"), key=lambda path: path.stat().st_mtime)
    plots.time_space_diagram(read_trajectories(newest), folder / "ring.png")


def line(found: Figure) -> Sequence[object]:
    low, high = (f"{end:.6g}" for end in (found.lowest, found.highest))
    verdict = "met" if found.met else "MISSED"
    return found.figure, found.what, f"{found.measured:.6g} {found.unit}".strip(), f"{low} to {high}", verdict


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="too short to meet the figures; shows that all runs")
    parser.add_argument("--only", type=int, nargs="+", choices=tuple(PARTS), default=tuple(PARTS), help="6 is also 7")
    parser.add_argument("--pictures", type=Path, help="a folder: record a tamed wave, and draw it")
    given = parser.parse_args()
    sizes = QUICK if given.quick else FULL
    print(report.versions(), flush=True)
    print(report.table(COLUMNS, ()))
    found = list[Figure]()
    for figure in (figure for part in given.only for figure in PARTS[part](sizes)):
        print(report.table(COLUMNS, [line(figure)]).splitlines()[-1], flush=True)
        found.append(figure)
    missed = sum(not figure.met for figure in found)
    print(f"{len(found) - missed} met, {missed} MISSED" + (", of runs too short to meet them" if given.quick else ""))
    if given.pictures is not None:
        pictures(given.pictures, sizes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
