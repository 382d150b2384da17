"""A highway with an on-ramp: vehicles of the ramp yield, or use an acceleration lane."""

from typing import Any

from sumo_gymnasium.scenarios.inflows import Inflow
from sumo_gymnasium.scenarios.plain import Connection, Edge, Node
from sumo_gymnasium.scenarios.ranges import Range, number, whole
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.traffic import built, open_scenario

ACCELERATION = 100.0  # m, of the acceleration lane


def merge(
    *,
    inflow: Range = 2000.0,
    ramp_inflow: Range = 100.0,
    before: float = 200.0,
    after: float = 100.0,
    ramp: float = 100.0,
    lanes: int = 1,
    zipper: bool = False,
    speed_limit: float = 30.0,
    **traffic: Any,
) -> Scenario:
    """Edges "before" and "ramp", which lead to "after".

    Args:
        inflow: of the highway, veh/h, or (low, high) to draw it from in each episode.
        ramp_inflow: likewise of the ramp.
        before: length of the highway before the merge, m.
        after: and after it.
        ramp: length of the ramp, m.
        lanes: of the highway; the ramp has one.
        zipper: the ramp leads to an acceleration lane of 100 m (edge "acceleration"), at whose end one of the ramp and
            one of the highway drive on by turns; else it yields to the highway.
        speed_limit: m/s.
        **traffic: see `Inflows` and `Drivers`.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    before, after, ramp = (
        number(name, given, least=30.0, most=10_000.0)
        for name, given in (("before", before), ("after", after), ("ramp", ramp))
    )
    lanes = whole("lanes", lanes, least=1, most=6)
    speed_limit = number("speed_limit", speed_limit, least=1.0, most=100.0)
    nodes = [Node("begin", -before, 0), Node("ramp_begin", -0.95 * ramp, -0.3 * ramp), Node("merge", 0, 0)]
    edges = [
        Edge("before", "begin", "merge", lanes, speed_limit, 3, length=before, spread="right"),
        Edge("ramp", "ramp_begin", "merge", 1, speed_limit, 1, length=ramp, spread="right"),
    ]
    build = _with_lane if zipper else _yielding
    beyond, connections, way = build(lanes, speed_limit, after, nodes)
    net = built("merge", nodes, [*edges, *beyond], connections)
    inflows = [Inflow("main", "inflow", (("before", *way),)), Inflow("ramp", "ramp_inflow", (("ramp", *way),))]
    return open_scenario("merge", net, inflows, {"inflow": inflow, "ramp_inflow": ramp_inflow}, traffic, "Flow")


Beyond = tuple[list[Edge], list[Connection], tuple[str, ...]]


def _yielding(lanes: int, speed_limit: float, after: float, nodes: list[Node]) -> Beyond:
    nodes.append(Node("end", after, 0))
    edges = [Edge("after", "merge", "end", lanes, speed_limit, 3, length=after, spread="right")]
    connections = [Connection("before", "after", lane, lane) for lane in range(lanes)]
    return edges, [*connections, Connection("ramp", "after", 0, 0)], ("after",)


def _with_lane(lanes: int, speed_limit: float, after: float, nodes: list[Node]) -> Beyond:
    nodes += [Node("zipper", ACCELERATION, 0, "zipper"), Node("end", ACCELERATION + after, 0)]
    edges = [
        Edge("acceleration", "merge", "zipper", lanes + 1, speed_limit, 3, length=ACCELERATION, spread="right"),
        Edge("after", "zipper", "end", lanes, speed_limit, 3, length=after, spread="right"),
    ]
    connections = [
        Connection("ramp", "acceleration", 0, 0),
        Connection("acceleration", "after", 0, 0),
        *(Connection("before", "acceleration", lane, lane + 1) for lane in range(lanes)),
        *(Connection("acceleration", "after", lane + 1, lane) for lane in range(lanes)),
    ]
    return edges, connections, ("acceleration", "after")
