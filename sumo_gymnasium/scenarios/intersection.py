"""One intersection of four two-lane arms whose left turns have phases of their own, under four patterns of demand.

`python -m sumo_gymnasium.scenarios.intersection` rebuilds the shipped files.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from sumo_gymnasium import names
from sumo_gymnasium.scenarios.assets import assets
from sumo_gymnasium.scenarios.generate import netconvert
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.signals.webster import Plan, webster

SIGNAL = "center"
ARMS = ("north", "east", "south", "west")  # clockwise
TURNS = {"right": (0.2, 3), "straight": (0.6, 2), "left": (0.2, 1)}  # share of an arm's vehicles, arms on (clockwise)
END = 3600  # s

# a letter a link: right, straight and left from the north, then from the east, the south and the west
GREENS = ("GGrrrrGGrrrr", "rrGrrrrrGrrr", "rrrGGrrrrGGr", "rrrrrGrrrrrG")
YELLOW = 3  # s
MIN_GREEN, MAX_GREEN = 5, 50  # s, of the actuated program

SATURATION_FLOW = 1600.0  # veh/h and lane: measured in SUMO 1.28 behind full queues, for either lane of an arm
PHASE_LOST_TIME = 3.6  # s: measured likewise, as the green and yellow in which nobody passes

TYPES = """\
    <vTypeDistribution id="traffic">
        <vType id="car" vClass="passenger" probability="0.95"/>
        <vType id="truck" vClass="truck" probability="0.05"/>
    </vTypeDistribution>
"""


class Demand(NamedTuple):
    """Vehicles an hour from each arm, and a factor on them for each equal part of the hour."""

    north: float
    east: float
    south: float
    west: float
    profile: tuple[float, ...] = (1.0,)


DEMANDS: Mapping[str, Demand] = {
    "uniform": Demand(520, 520, 520, 520),
    "asymmetric": Demand(680, 380, 480, 260),
    "peak": Demand(520, 520, 520, 520, profile=(0.7, 1.0, 1.3, 1.0)),
    "oversaturated": Demand(880, 880, 880, 880),
}

PROGRAMS: Mapping[str, str] = {"webster": "{demand}.add.xml", "actuated": "actuated.add.xml"}


def intersection(demand: str = "uniform", program: str = "webster") -> Scenario:
    """The shipped scenario: `demand` is one of DEMANDS, `program` is what the signal shows unless it is controlled.

    "webster" is the fixed-time plan made for this very demand, "actuated" is SUMO's own gap-based control.

    Raises:
        ValueError: no such demand or program.
    """
    if demand not in DEMANDS:
        raise ValueError(names.unknown("demand", demand, DEMANDS))
    if program not in PROGRAMS:
        raise ValueError(names.unknown("program", program, PROGRAMS))
    folder = assets() / "intersection"
    return Scenario(
        net_file=str(folder / "intersection.net.xml"),
        route_files=(str(folder / f"{demand}.rou.xml"),),
        additional_files=(str(folder / PROGRAMS[program].format(demand=demand)),),
        end=float(END),
        name=f"intersection-{demand}",
    )


def flow_ratios(demand: Demand) -> tuple[float, ...]:
    """For each of GREENS the largest flow of its lanes, in the busiest part of the hour, over the saturation flow."""
    axes = (max(demand.north, demand.south), max(demand.east, demand.west))
    left, _ = TURNS["left"]
    busiest = max(demand.profile) / SATURATION_FLOW
    return tuple(busiest * flow * share for flow in axes for share in (1 - left, left))


def plan(demand: Demand) -> Plan:
    """Webster's plan for the busiest part of the hour: the green of each of GREENS."""
    return webster(flow_ratios(demand), phase_lost_time=PHASE_LOST_TIME, intergreen=YELLOW, min_green=MIN_GREEN)


def build(folder: str | Path) -> None:
    """Write net, demand and programs into `folder`, which holds the nodes, edges and connections they are made of."""
    folder = Path(folder)
    _write(folder / "intersection.tll.xml", "tlLogics", _fixed_time("0", plan(DEMANDS["uniform"])))
    netconvert(
        folder / "intersection.net.xml",
        nodes=folder / "intersection.nod.xml",
        edges=folder / "intersection.edg.xml",
        connections=folder / "intersection.con.xml",
        tllogics=folder / "intersection.tll.xml",
        options=["--no-turnarounds"],
    )
    _write(folder / "actuated.add.xml", "additional", _actuated())
    for name, demand in DEMANDS.items():
        _write(folder / f"{name}.rou.xml", "routes", TYPES + "".join(_flows(demand)))
        _write(folder / f"{name}.add.xml", "additional", _fixed_time("webster", plan(demand)))


def _flows(demand: Demand) -> Iterator[str]:
    """Poisson arrivals that follow SUMO's seed, sorted by begin."""
    arms = dict(zip(ARMS, (demand.north, demand.east, demand.south, demand.west), strict=True))
    duration = END // len(demand.profile)
    for part, factor in enumerate(demand.profile):
        for number, (arm, flow) in enumerate(arms.items()):
            for turn, (share, onward) in TURNS.items():
                rate = factor * flow * share / 3600  # veh/s
                yield (
                    f'    <flow id="{arm}_{turn}_{part}" type="traffic"'
                    f' from="{arm}_in" to="{ARMS[(number + onward) % 4]}_out"'
                    f' begin="{part * duration}" end="{(part + 1) * duration}" period="exp({rate:.6f})"'
                    ' departLane="best" departSpeed="max"/>\n'
                )


def _fixed_time(program: str, timed: Plan) -> str:
    phases = (_phase(state, f'duration="{green:g}"') for state, green in zip(GREENS, timed.greens, strict=True))
    return _logic("static", program, "".join(phases))


def _actuated() -> str:
    bounds = f'duration="{MAX_GREEN}" minDur="{MIN_GREEN}" maxDur="{MAX_GREEN}"'
    return _logic("actuated", "actuated", "".join(_phase(state, bounds) for state in GREENS))


def _phase(green: str, times: str) -> str:
    yellow = green.replace("G", "y")
    return f'        <phase {times} state="{green}"/>\n        <phase duration="{YELLOW}" state="{yellow}"/>\n'


def _logic(kind: str, program: str, phases: str) -> str:
    head = f'    <tlLogic id="{SIGNAL}" type="{kind}" programID="{program}" offset="0">\n'
    return f"{head}{phases}    </tlLogic>\n"


def _write(file: Path, root: str, content: str) -> None:
    file.write_text(f"<{root}>\n{content}</{root}>\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    build(assets() / "intersection")
