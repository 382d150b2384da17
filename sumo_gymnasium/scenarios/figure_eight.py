"""A figure eight: one way round that crosses itself at a priority junction."""

from typing import Any

from sumo_gymnasium.scenarios.loops import Loops, ways
from sumo_gymnasium.scenarios.plain import JOINT, Connection, Edge, Node, arc
from sumo_gymnasium.scenarios.ranges import number, whole
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.traffic import END, STEP_LENGTH, built, drivers_of

EDGES = ("south", "north", "upper_loop", "east", "west", "lower_loop")
CROSSED = ("south", "east")  # lead to the junction; from the south one has priority


def figure_eight(
    *,
    radius: float = 30.0,
    vehicles: int = 14,
    lanes: int = 1,
    speed_limit: float = 30.0,
    depart_speed: float = 0.0,
    **drivers: Any,
) -> Scenario:
    """Two arcs of 270° and four straight edges, which cross in the middle; who comes from the south has priority.

    Args:
        radius: of the arcs, and about the length of the straight edges, m.
        vehicles: equally far apart along the way, at begin.
        lanes: of every edge.
        speed_limit: m/s.
        depart_speed: of all at begin, m/s.
        **drivers: see `Drivers`; one in `vehicles` is an agent if nothing else is said.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    radius = number("radius", radius, least=15.0, most=1000.0)
    speed_limit = number("speed_limit", speed_limit, least=1.0, most=100.0)
    lanes = whole("lanes", lanes, least=1, most=4)
    vehicles = whole("vehicles", vehicles, least=1, most=10_000)
    drawn = Loops(
        loops=(EDGES,),
        lanes=lanes,
        vehicles=vehicles,
        drivers=drivers_of(drivers, penetration=1 / vehicles),
        speed=number("depart_speed", depart_speed, most=speed_limit),
    )
    net = figure_eight_net(radius, lanes, speed_limit)
    drawn.check(sum(map(sum, ways(net, [EDGES])[0])))
    return Scenario(net_file=net, end=END, step_length=STEP_LENGTH, name="figure_eight", variation=drawn)


def figure_eight_net(radius: float, lanes: int, speed_limit: float) -> str:
    """The network's path."""
    nodes = [
        Node("center", 0, 0),
        Node("top", 0, radius),
        Node("right", radius, 0),
        Node("left", -radius, 0),
        Node("bottom", 0, -radius),
    ]
    upper, lower = arc(radius, radius, radius, 180, -90), arc(-radius, -radius, radius, 90, 360)
    edges = [
        Edge("south", "bottom", "center", lanes, speed_limit, priority=2),
        Edge("north", "center", "top", lanes, speed_limit, priority=2),
        Edge("upper_loop", "top", "right", lanes, speed_limit, shape=upper),
        Edge("east", "right", "center", lanes, speed_limit),
        Edge("west", "center", "left", lanes, speed_limit),
        Edge("lower_loop", "left", "bottom", lanes, speed_limit, shape=lower),
    ]
    connections = [
        Connection(edge.name, following.name, lane, lane, None if edge.name in CROSSED else JOINT)
        for edge, following in zip(edges, (*edges[1:], edges[0]), strict=True)
        for lane in range(lanes)
    ]
    return built("figure_eight", nodes, edges, connections)
