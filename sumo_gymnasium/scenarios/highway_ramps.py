"""A highway with on-ramps and off-ramps."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.inflows import Inflow
from sumo_gymnasium.scenarios.plain import Connection, Edge, Node
from sumo_gymnasium.scenarios.ranges import Range, number, whole
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.traffic import built, open_scenario

APART = 20.0  # m, at least, from one ramp to the next


def highway_ramps(
    *,
    inflow: Range = 1000.0,
    ramp_inflow: Range = 200.0,
    length: float = 300.0,
    lanes: int = 1,
    on_ramps: Sequence[float] = (100.0,),
    off_ramps: Sequence[float] = (200.0,),
    ramp: float = 100.0,
    exit_probability: float = 0.2,
    speed_limit: float = 30.0,
    ramp_speed: float = 20.0,
    **traffic: Any,
) -> Scenario:
    """Edges "highway0", "highway1" …, one between two ramps, and "on0" …, "off0" ….

    Args:
        inflow: of the highway, veh/h, or (low, high) to draw it from in each episode.
        ramp_inflow: likewise of each on-ramp, whose vehicles yield to the highway's.
        length: of the highway, m.
        lanes: of the highway; ramps have one.
        on_ramps: where they end, m from the highway's begin.
        off_ramps: where they begin.
        ramp: length of each ramp, m.
        exit_probability: of a vehicle at an off-ramp, to take it.
        speed_limit: of the highway, m/s.
        ramp_speed: of the ramps, m/s.
        **traffic: see `Inflows` and `Drivers`.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    length = number("length", length, least=2 * APART, most=100_000.0)
    lanes = whole("lanes", lanes, least=1, most=10)
    share = number("exit_probability", exit_probability, most=1.0)
    speeds = [
        number(name, given, least=1.0, most=100.0)
        for name, given in (("speed_limit", speed_limit), ("ramp_speed", ramp_speed))
    ]
    ramps = _ramps(on_ramps, off_ramps, length)
    net = _net(ramps, length, lanes, number("ramp", ramp, least=30.0, most=10_000.0), *speeds)
    amounts = {"inflow": inflow, "ramp_inflow": ramp_inflow}
    return open_scenario("highway_ramps", net, list(_inflows(ramps, share)), amounts, traffic)


Ramps = list[tuple[float, str]]  # where each meets the highway, and its name, from the begin


def _ramps(on_ramps: Any, off_ramps: Any, length: float) -> Ramps:
    found = []
    for kind, given in (("on", on_ramps), ("off", off_ramps)):
        if not isinstance(given, Sequence) or isinstance(given, str):
            raise ScenarioError(f"{kind}_ramps={given!r}: expected a sequence of metres from the highway's begin")
        places = sorted(number(f"{kind}_ramps", x, least=APART, most=length - APART) for x in given)
        found += [(x, f"{kind}{count}") for count, x in enumerate(places)]
    found.sort()
    for (one, name), (other, following) in pairwise(found):
        if other - one < APART:
            raise ScenarioError(f"ramps {name!r} and {following!r} are {other - one:g} m apart; expected {APART:g} m")
    return found


def _inflows(ramps: Ramps, share: float) -> Iterator[Inflow]:
    last = len(ramps)
    yield Inflow("main", "inflow", *_routes(ramps, (), 0, last, share))
    for place, (_, name) in enumerate(ramps):
        if name.startswith("on"):
            yield Inflow(f"{name}_", "ramp_inflow", *_routes(ramps, (name,), place + 1, last, share))


def _routes(
    ramps: Ramps, first: tuple[str, ...], begin: int, last: int, share: float
) -> tuple[tuple[tuple[str, ...], ...], tuple[float, ...]]:
    """The routes from the highway's part `begin` on, to each off-ramp and to the end, and their shares."""
    routes, shares, left = [], [], 1.0
    for place in range(begin, last):
        if ramps[place][1].startswith("off") and share:
            routes.append((*first, *_parts(begin, place), ramps[place][1]))
            shares.append(left * share)
            left *= 1 - share
    if left:
        routes.append((*first, *_parts(begin, last)))
        shares.append(left)
    return tuple(routes), tuple(shares)


def _parts(begin: int, end: int) -> tuple[str, ...]:
    return tuple(f"highway{part}" for part in range(begin, end + 1))


def _net(ramps: Ramps, length: float, lanes: int, ramp: float, speed_limit: float, ramp_speed: float) -> str:
    places = [0.0, *(x for x, _ in ramps), length]
    nodes = [Node(f"node{count}", x, 0) for count, x in enumerate(places)]
    edges = [
        Edge(f"highway{part}", f"node{part}", f"node{part + 1}", lanes, speed_limit, 3, length=b - a, spread="right")
        for part, (a, b) in enumerate(pairwise(places))
    ]
    connections = [
        Connection(one.name, other.name, lane, lane) for one, other in pairwise(edges) for lane in range(lanes)
    ]
    for place, (x, name) in enumerate(ramps):
        back = -1 if name.startswith("on") else 1
        nodes.append(Node(f"{name}_end", x + back * 0.95 * ramp, -0.3 * ramp))
        ends = (f"{name}_end", f"node{place + 1}")
        if back < 0:
            connections.append(Connection(name, f"highway{place + 1}", 0, 0))
        else:
            ends = (ends[1], ends[0])
            connections.append(Connection(f"highway{place}", name, 0, 0))
        edges.append(Edge(name, *ends, 1, ramp_speed, 1, length=ramp, spread="right"))
    return built("highway_ramps", nodes, edges, connections)
