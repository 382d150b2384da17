"""A bridge whose lanes halve twice; as Flow's bottleneck (Vinitsky et al. 2018), after the San Francisco Bay Bridge."""

from itertools import accumulate, pairwise
from typing import Any

from sumo_gymnasium.scenarios.inflows import Inflow
from sumo_gymnasium.scenarios.plain import Connection, Edge, Node, straight
from sumo_gymnasium.scenarios.ranges import Range, number, whole
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.traffic import built, open_scenario

LENGTHS = (100.0, 310.0, 140.0, 280.0, 155.0)  # m
LANES = (4, 4, 4, 2, 1)  # times `scaling`
GREEN, YELLOW = 10, 3  # s
EDGES = ("entry", "toll_plaza", "metered", "narrow", "exit")
NODES = ("begin", "toll", "meter", "first_zipper", "second_zipper", "end")


def bottleneck(
    *,
    inflow: Range = 2300.0,
    scaling: int = 1,
    speed_limit: float = 23.0,
    toll: bool = False,
    meter: bool = False,
    **traffic: Any,
) -> Scenario:
    """Edges "entry", "toll_plaza", "metered" of 4 lanes, "narrow" of 2 and "exit" of 1.

    Args:
        inflow: veh/h, or (low, high) to draw it from in each episode.
        scaling: a factor on all lanes.
        speed_limit: m/s.
        toll: a signal "toll" stands between "entry" and "toll_plaza".
        meter: a signal "meter" stands between "toll_plaza" and "metered": the ramp meter. Like the toll's, its two
            phases let every other lane go, of two lanes that become one always one, for 10 s each unless controlled.
        **traffic: see `Inflows` and `Drivers`.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    scaling = whole("scaling", scaling, least=1, most=4)
    speed_limit = number("speed_limit", speed_limit, least=1.0, most=100.0)
    signals = [name for name, wanted in (("toll", toll), ("meter", meter)) if wanted]
    types = {"first_zipper": "zipper", "second_zipper": "zipper", **dict.fromkeys(signals, "traffic_light")}
    places = accumulate(LENGTHS, initial=0.0)
    nodes = [Node(name, x, 0, types.get(name, "priority")) for name, x in zip(NODES, places, strict=True)]
    edges = [
        Edge(name, *ends, lanes * scaling, speed_limit, length=length)
        for name, ends, lanes, length in zip(EDGES, pairwise(NODES), LANES, LENGTHS, strict=True)
    ]
    programs = "".join(_program(signal, LANES[0] * scaling) for signal in signals)
    net = built("bottleneck", nodes, edges, _connections(edges), f"<tlLogics>\n{programs}</tlLogics>\n")
    inflows = [Inflow("vehicle", "inflow", (EDGES,))]
    return open_scenario("bottleneck", net, inflows, {"inflow": inflow}, traffic, "Flow")


def _program(signal: str, lanes: int) -> str:
    phases = "".join(
        f'        <phase duration="{duration}" state="{state * (lanes // 2)}"/>\n'
        for state, duration in (("Gr", GREEN), ("yr", YELLOW), ("rG", GREEN), ("ry", YELLOW))
    )
    return f'    <tlLogic id="{signal}" type="static" programID="0" offset="0">\n{phases}    </tlLogic>\n'


def _connections(edges: list[Edge]) -> list[Connection]:
    """Lane by lane; where the lanes halve, two lead to one."""
    found = []
    for edge, following in pairwise(edges):
        if edge.lanes == following.lanes:
            found += straight(edge, following)
        else:
            found += [Connection(edge.name, following.name, lane, lane // 2) for lane in range(edge.lanes)]
    return found
