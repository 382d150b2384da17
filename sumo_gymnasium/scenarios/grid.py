"""A grid of streets with a signal at every crossing, and random demand from fringe to fringe."""

from string import ascii_uppercase
from typing import Any

from sumo_gymnasium import names
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.demand import RandomDemand
from sumo_gymnasium.scenarios.generate import converted
from sumo_gymnasium.scenarios.ranges import number, whole
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.streets import Street, Streets

PROGRAMS = ("static", "actuated", "delay_based")
MOST = len(ascii_uppercase)  # signals in a row
PER_ENTRY = 150.0  # veh/h: what each street brings into the grid, unless the flow is given


def grid(
    *,
    rows: int = 3,
    columns: int = 3,
    lanes: int = 2,
    turn_lanes: int = 1,
    length: float = 200.0,
    speed: float = 13.89,
    program: str = "static",
    **demand: Any,
) -> Scenario:
    """`rows` × `columns` signals ("A0" at the lower left, "B0" to its right), and streets that go on beyond them.

    Args:
        rows: from bottom to top.
        columns: from left to right.
        lanes: of each direction of a street.
        turn_lanes: more lanes, for left turns only, on every street that leads to a crossing.
        length: of a street from one crossing to the next, m.
        speed: the limit, m/s.
        program: what the signals show unless they are controlled: "static", or SUMO's "actuated" or "delay_based".
        **demand: see `RandomDemand`; the flow is, if not given, 150 vehicles an hour from each of the streets around.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    net = grid_net(rows, columns, length, Street.of(lanes, turn_lanes, speed), program)
    count = 2 * (rows + columns)
    drawn = RandomDemand.of(demand, flow=PER_ENTRY * count)
    drawn.check(net)
    return Scenario(net_file=net, end=3600.0, name="grid", variation=drawn)


def grid_net(rows: int, columns: int, length: float, street: Street, program: str, *options: str) -> str:
    """The path of such a network; further `options` go to netconvert.

    Raises:
        ScenarioError: a value that cannot be.
    """
    if program not in PROGRAMS:
        raise ScenarioError(names.unknown("program", str(program), dict.fromkeys(PROGRAMS)))
    length = number("length", length, least=50.0, most=5000.0)
    rows, columns = whole("rows", rows, least=1, most=MOST), whole("columns", columns, least=1, most=MOST)
    streets = Streets(
        names=[[f"{ascii_uppercase[column]}{row}" for column in range(columns)] for row in range(rows)],
        x=[length * column for column in range(columns)],
        y=[length * row for row in range(rows)],
        arm=length,
        across=street,
        along=street,
    )
    return converted("grid", streets.plain(), [f"--tls.default-type={program}", "--no-turnarounds", *options])
