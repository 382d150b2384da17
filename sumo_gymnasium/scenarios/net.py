"""What a network file says, as a small table that can be pickled: lanes, edges, junctions, links of signals."""

import os
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import sumolib

from sumo_gymnasium.errors import ScenarioError

Shape = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Lane:
    """One lane; `length` in m, `speed` (the limit) in m/s. `vehicles`: whether anything but pedestrians may use it."""

    edge: str
    index: int
    length: float
    speed: float
    width: float
    vehicles: bool
    shape: Shape
    next: tuple[str, ...]
    previous: tuple[str, ...]


class Edge(NamedTuple):
    """One edge; `function` is SUMO's word ("" for a road, "internal", "crossing", "walkingarea", …)."""

    origin: str
    target: str
    lanes: tuple[str, ...]
    function: str


class Junction(NamedTuple):
    """One junction (node); `type` is SUMO's word."""

    x: float
    y: float
    type: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class Link:
    """One way across a signal: what letter `index` of its state rules."""

    index: int
    origin: str
    target: str
    via: str
    direction: str
    crossing: bool


@dataclass(frozen=True)
class Net:
    """The facts of one network file.

    Attributes:
        lanes, edges, junctions: by id.
        links: by signal, sorted by index; several links can share one index, and indices can be missing.
        foes: by signal, pairs of indices (low, high) whose links cross each other.
    """

    lanes: dict[str, Lane]
    edges: dict[str, Edge]
    junctions: dict[str, Junction]
    links: dict[str, tuple[Link, ...]]
    foes: dict[str, frozenset[tuple[int, int]]]


def read_net(path: str) -> Net:
    """The table of the network file at `path`, parsed once per path, size and time stamp.

    Raises:
        ScenarioError: the file is missing, or no network.
    """
    try:
        stat = os.stat(path)
    except OSError as error:
        raise ScenarioError(f"File '{path}' is not accessible ({error.strerror}); expected a .net.xml") from error
    return _read(os.path.abspath(path), stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=32)
def _read(path: str, size: int, time: int) -> Net:
    try:
        net = sumolib.net.readNet(path, withInternal=True, withPedestrianConnections=True)
    except Exception as error:  # sumolib lets through whatever its parser meets
        raise ScenarioError(f"'{path}' is not a network that can be read: {error}") from error
    if not net.getEdges():
        raise ScenarioError(f"'{path}' holds no edges; expected a network made by netconvert or netgenerate")
    links, foes = _signals(net)
    edges = net.getEdges(True)
    return Net(
        lanes={lane.getID(): _lane(lane) for edge in edges for lane in edge.getLanes()},
        edges={edge.getID(): _edge(edge) for edge in edges},
        junctions={node.getID(): _junction(node) for node in net.getNodes() if node.getShape() is not None},
        links=links,
        foes=foes,
    )


def _shape(points: Any) -> Shape:
    return tuple((x, y) for x, y, *_ in points)


def _lane(lane: Any) -> Lane:
    following = lane.getOutgoing()
    return Lane(
        edge=lane.getEdge().getID(),
        index=lane.getIndex(),
        length=lane.getLength(),
        speed=lane.getSpeed(),
        width=lane.getWidth(),
        vehicles=bool(set(lane.getPermissions()) - {"pedestrian"}),
        shape=_shape(lane.getShape()),
        next=tuple(dict.fromkeys(connection.getToLane().getID() for connection in following)),
        previous=tuple(dict.fromkeys(before.getID() for before in lane.getIncoming())),
    )


def _edge(edge: Any) -> Edge:
    lanes = tuple(lane.getID() for lane in edge.getLanes())
    return Edge(edge.getFromNode().getID(), edge.getToNode().getID(), lanes, edge.getFunction())


def _junction(node: Any) -> Junction:
    x, y = node.getCoord()
    return Junction(x, y, node.getType(), _shape(node.getShape()))


def _signals(net: Any) -> tuple[dict[str, tuple[Link, ...]], dict[str, frozenset[tuple[int, int]]]]:
    links: dict[str, list[Link]] = defaultdict(list)
    places: dict[tuple[str, Any], list[tuple[int, int]]] = defaultdict(list)  # index at the signal, at the junction
    for edge in net.getEdges(True):
        for following in edge.getOutgoing().values():
            for connection in following:
                signal = connection.getTLSID()
                if signal:
                    links[signal] += _links(connection)
                    place = (connection.getTLLinkIndex(), connection.getJunctionIndex())
                    places[signal, connection.getJunction()].append(place)
    foes: dict[str, set[tuple[int, int]]] = {signal: set() for signal in links}
    for (signal, junction), pairs in places.items():
        if junction.hasFoes():
            foes[signal] |= {
                (i, j) for i, a in pairs for j, b in pairs if i < j and a >= 0 <= b and junction.areFoes(a, b)
            }
    ordered = {signal: tuple(sorted(links[signal], key=lambda link: link.index)) for signal in sorted(links)}
    return ordered, {signal: frozenset(pairs) for signal, pairs in foes.items()}


def _links(connection: Any) -> list[Link]:
    target = connection.getTo()
    crossing = target.getFunction() == "crossing"
    indices = [connection.getTLLinkIndex()]
    if crossing and connection.getTLLinkIndex2() >= 0:  # a crossing can have a second index, for the way back
        indices.append(connection.getTLLinkIndex2())
    return [
        Link(
            index=index,
            origin=connection.getFromLane().getID(),
            target=connection.getToLane().getID(),
            via=connection.getViaLaneID(),
            direction=connection.getDirection(),
            crossing=crossing,
        )
        for index in indices
    ]
