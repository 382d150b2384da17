"""A grid whose streets have sidewalks, and whose signals have crossings on which people walk."""

from typing import Any

from sumo_gymnasium.scenarios.demand import RandomDemand
from sumo_gymnasium.scenarios.grid import grid_net
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.streets import Street

FLOW, WALKS = 800.0, 600.0  # vehicles an hour, pedestrians an hour


def pedestrians(
    *,
    rows: int = 2,
    columns: int = 2,
    lanes: int = 1,
    turn_lanes: int = 1,
    length: float = 150.0,
    speed: float = 13.89,
    program: str = "static",
    **demand: Any,
) -> Scenario:
    """See `grid` for the arguments, and `RandomDemand` for those of the demand: `walks` is how many set out in an hour.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    drawn = RandomDemand.of(demand, flow=FLOW, walks=WALKS)
    street = Street.of(lanes, turn_lanes, speed)
    net = grid_net(rows, columns, length, street, program, "--sidewalks.guess", "--crossings.guess")
    drawn.check(net)
    return Scenario(net_file=net, end=3600.0, name="pedestrians", variation=drawn)
