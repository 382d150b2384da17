"""A straight highway; some lanes may be closed in the middle, and its end may be slow."""

from itertools import pairwise
from typing import Any

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.inflows import Inflow
from sumo_gymnasium.scenarios.plain import Edge, Node, straight
from sumo_gymnasium.scenarios.ranges import Range, number, whole
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.traffic import built, open_scenario

SHORTEST = 10.0  # m, of an edge
CLOSURE = 100.0  # m
EXIT = 300.0  # m


def highway(
    *,
    inflow: Range = 5000.0,
    length: float = 1000.0,
    lanes: int = 4,
    speed_limit: float = 30.0,
    closed_lanes: int = 0,
    closure_begin: float = 600.0,
    exit_speed: float | None = None,
    **traffic: Any,
) -> Scenario:
    """An edge "highway"; with a closure also "closure" and "beyond", with a slow exit also "exit".

    Args:
        inflow: veh/h on all lanes, or (low, high) to draw it from in each episode.
        length: m, without the exit.
        lanes: in one direction.
        speed_limit: m/s.
        closed_lanes: so many, from the right, are closed for 100 m.
        closure_begin: where, m from the highway's begin.
        exit_speed: the limit on 300 m behind the highway, m/s, which makes waves run upstream; None: no such edge.
        **traffic: see `Inflows` and `Drivers`.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    lanes = whole("lanes", lanes, least=1, most=10)
    closed_lanes = whole("closed_lanes", closed_lanes, least=0, most=lanes - 1)
    length = number("length", length, least=SHORTEST, most=100_000.0)
    speed_limit = number("speed_limit", speed_limit, least=1.0, most=100.0)
    parts = [("highway", length, 0, speed_limit)]
    if closed_lanes:
        begin = _closure(closure_begin, length)
        beyond = length - begin - CLOSURE
        parts = [
            ("highway", begin, 0, speed_limit),
            ("closure", CLOSURE, closed_lanes, speed_limit),
            ("beyond", beyond, 0, speed_limit),
        ]
    if exit_speed is not None:
        parts.append(("exit", EXIT, 0, number("exit_speed", exit_speed, least=1.0, most=speed_limit)))
    net = _net(parts, lanes)
    inflows = [Inflow("vehicle", "inflow", (tuple(name for name, *_ in parts),))]
    return open_scenario("highway", net, inflows, {"inflow": inflow}, traffic)


def _closure(begin: Any, length: float) -> float:
    most = length - CLOSURE - SHORTEST
    if most < SHORTEST:
        raise ScenarioError(f"length={length:g}: a closure needs {CLOSURE + 2 * SHORTEST:g} m or more")
    return number("closure_begin", begin, least=SHORTEST, most=most)


def _net(parts: list[tuple[str, float, int, float]], lanes: int) -> str:
    """The path of the network of edges (name, length, closed lanes, limit) one behind the other."""
    nodes, edges, x = [Node("begin", 0, 0)], list[Edge](), 0.0
    for name, length, closed, speed in parts:
        x += length
        nodes.append(Node(f"{name}_end", x, 0))
        edges.append(Edge(name, nodes[-2].name, nodes[-1].name, lanes, speed, 3, length=length, closed=closed))
    connections = [one for pair in pairwise(edges) for one in straight(*pair)]
    return built("highway", nodes, edges, connections)
