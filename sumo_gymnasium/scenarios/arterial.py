"""An arterial of six signals whose offsets let a platoon drive through at green, and side streets across it."""

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.demand import RandomDemand
from sumo_gymnasium.scenarios.generate import converted
from sumo_gymnasium.scenarios.ranges import number
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.streets import Street, Streets

DISTANCES = (300.0, 220.0, 380.0, 260.0, 340.0)  # m, between neighbours from west to east
PLACES = (0.0, *accumulate(DISTANCES))  # m
STREETS = Streets(
    names=[[f"J{place}" for place in range(1, len(PLACES) + 1)]],
    x=PLACES,
    y=[0.0],
    arm=300.0,
    across=Street(lanes=2, turn_lanes=1, speed=16.67),
    along=Street(lanes=1, turn_lanes=1, speed=13.89),
)
RADIUS = 6  # m, of the corners: with SUMO's 4 m the paths of opposite left turns cross
ENDS = ("J1_west_J1", "J1_J1_west", "J6_east_J6", "J6_J6_east")
GREENS = (("rrrGGGgrrrGGGg", 32), ("rrrrrrGrrrrrrG", 8), ("GGgrrrrGGgrrrr", 18), ("rrGrrrrrrGrrrr", 6))  # s
YELLOW = 4  # s
CYCLE = sum(green + YELLOW for _, green in GREENS)  # s
WAVES = ("east", "west", "none")
FLOW = 2000.0  # veh/h
WEIGHT = 8.0  # of either end of the arterial, where a side street has 1


def arterial(*, wave: str = "east", wave_speed: float = 14.0, **demand: Any) -> Scenario:
    """Signals "J1" to "J6" from west to east, on a road of two lanes each way with a third one for left turns.

    Args:
        wave: which way the green wave goes: each signal's offset is its distance over `wave_speed`; "none": no offsets.
        wave_speed: m/s; a little less than the limit, since platoons spread.
        **demand: see `RandomDemand`; half of all drives begin at an end of the arterial, if no `weights` are given.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    if wave not in WAVES:
        raise ScenarioError(f"wave={wave!r}: expected one of {', '.join(WAVES)}")
    drawn = RandomDemand.of(demand, flow=FLOW, weights=dict.fromkeys(ENDS, WEIGHT))
    net = arterial_net(wave, number("wave_speed", wave_speed, least=1.0, most=40.0))
    drawn.check(net)
    return Scenario(net_file=net, end=3600.0, name="arterial", variation=drawn)


def arterial_net(wave: str, wave_speed: float) -> str:
    """The network's path."""
    plain = {**STREETS.plain(), "tllogics": _programs(offsets(wave, wave_speed))}
    return converted("arterial", plain, ["--no-turnarounds", f"--default.junctions.radius={RADIUS}"])


def offsets(wave: str, wave_speed: float) -> dict[str, float]:
    """Of each signal, s: when its cycle begins after the first one's, as the wave comes to it."""
    places = list(PLACES)
    if wave == "west":
        places = [places[-1] - place for place in places]
    shifts = [0 if wave == "none" else round(place / wave_speed) % CYCLE for place in places]
    return {f"J{count}": float(shift) for count, shift in enumerate(shifts, 1)}


def _programs(shifts: Mapping[str, float]) -> str:
    """The arterial with the left turns that find a gap, its left turns, and the side street in the same way.

    A letter a link: right, straight and left from the north, two lanes straight from the east, and so on clockwise.
    """
    phases = "".join(
        f'        <phase duration="{time}" state="{state}"/>\n'
        for place, (green, duration) in enumerate(GREENS)
        for state, time in ((green, duration), (_yellow(green, GREENS[(place + 1) % len(GREENS)][0]), YELLOW))
    )
    logics = (
        f'    <tlLogic id="{signal}" type="static" programID="0" offset="{shift:g}">\n{phases}    </tlLogic>\n'
        for signal, shift in shifts.items()
    )
    return f"<tlLogics>\n{''.join(logics)}</tlLogics>\n"


def _yellow(green: str, following: str) -> str:
    """A left turn that is green now and in the following phase does not see yellow."""
    return "".join(one if one == "r" or other != "r" else "y" for one, other in zip(green, following, strict=True))
