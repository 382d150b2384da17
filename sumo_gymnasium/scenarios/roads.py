"""Where one can drive and walk on a network, and the ways that drivers take between two edges."""

import heapq
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import sumolib

from sumo_gymnasium.errors import ScenarioError

TASTES = 4  # as many ideas of which way is the fastest; a driver has one of them
SPREAD = 0.3  # by which share of a road's travel time these differ at most
TURN_TIME: Mapping[str, float] = {"r": 3.0, "R": 3.0, "l": 8.0, "L": 8.0, "t": 60.0}  # s, by sumolib's direction

Path = tuple[str, ...]
Weights = tuple[tuple[str, float], ...]  # by edge


class Road(NamedTuple):
    """One edge for vehicles: `time` is the travel time at the limit, s; `next` are the edges after it, with turn times.

    `lanes`: the ids of the lanes that vehicles may use. `spare`: those that lead only where others do too.
    """

    origin: str
    target: str
    length: float
    time: float
    lanes: tuple[str, ...]
    spare: tuple[str, ...]
    next: tuple[tuple[str, float], ...]


class Choice(NamedTuple):
    """Edges to choose one of, and the running sum of their weights."""

    edges: tuple[str, ...]
    sums: tuple[float, ...]

    def draw(self, random: np.random.Generator) -> str:
        """One of the edges, in proportion to its weight."""
        place = int(np.searchsorted(self.sums, random.random() * self.sums[-1], side="right"))
        return self.edges[min(place, len(self.edges) - 1)]


@dataclass(frozen=True)
class Roads:
    """The roads of one network.

    Attributes:
        roads: by edge.
        entries: edges that one comes to from nowhere, but by turning round.
        exits: edges that lead nowhere, but by turning round.
        sidewalks: the edges with a sidewalk in the largest part of the network in which one can walk.
    """

    roads: dict[str, Road]
    entries: tuple[str, ...]
    exits: tuple[str, ...]
    sidewalks: tuple[str, ...]
    _ways: dict[tuple[str, int], dict[str, str]] = field(default_factory=dict, repr=False)
    _ends: dict[tuple[str, bool, Weights], Choice] = field(default_factory=dict, repr=False)

    def origins(self, fringe: bool, weights: Weights = ()) -> Choice:
        """Where a drive may begin: by the entries' `weights` (1 if not given), off the fringe by length and lanes."""
        return self._choice(self.entries if fringe and self.entries else self.roads, fringe, weights)

    def destinations(self, origin: str, fringe: bool, weights: Weights = ()) -> Choice:
        """Where a drive from `origin` may end: not where it began. There may be none."""
        key = (origin, fringe, weights)
        if key not in self._ends:
            start, exits = self.roads[origin].origin, frozenset(self.exits if fringe else ())
            ends = [edge for edge in self._tree(origin, 0) if edge != origin and self.roads[edge].target != start]
            at_fringe = [edge for edge in ends if edge in exits]
            self._ends[key] = self._choice(sorted(at_fringe or ends), fringe, weights)
        return self._ends[key]

    def path(self, origin: str, destination: str, taste: int) -> Path:
        """The edges of the fastest way in free flow to a destination that can be reached (Dijkstra 1959).

        Travel times differ from `taste` to taste, so that not all drivers take the same way.
        """
        before = self._tree(origin, taste)
        path = [destination]
        while path[-1] != origin:
            path.append(before[path[-1]])
        return tuple(reversed(path))

    def _choice(self, edges: Iterable[str], fringe: bool, weights: Weights) -> Choice:
        edges, given = tuple(edges), dict(weights)
        sizes = ((edge, self.roads[edge].length * len(self.roads[edge].lanes)) for edge in edges)
        return Choice(edges, tuple(accumulate(given.get(edge, 1.0) if fringe else size for edge, size in sizes)))

    def _tree(self, origin: str, taste: int) -> dict[str, str]:
        if (origin, taste) not in self._ways:
            self._ways[origin, taste] = _fastest(self.roads, origin, _times(self.roads, taste))
        return self._ways[origin, taste]


def read_roads(net_file: str, classes: tuple[str, ...]) -> Roads:
    """The roads that vehicles of all SUMO's `classes` (vClass) may use, read once per file, size and time stamp."""
    stat = os.stat(net_file)
    return _read(net_file, stat.st_size, stat.st_mtime_ns, classes)


@lru_cache(maxsize=16)
def _read(net_file: str, size: int, modified: int, classes: tuple[str, ...]) -> Roads:
    try:
        net = sumolib.net.readNet(net_file, withInternal=True, withPedestrianConnections=True)
    except Exception as error:  # sumolib lets through whatever its parser meets
        raise ScenarioError(f"'{net_file}' is not a network that can be read: {error}") from error
    roads = {edge.getID(): _road(edge, classes) for edge in net.getEdges(False) if _lanes(edge, classes)}
    ahead = {name: {edge for edge, turn in road.next if turn < TURN_TIME["t"]} for name, road in roads.items()}
    led_to = {edge for following in ahead.values() for edge in following}
    return Roads(
        roads=roads,
        entries=tuple(edge for edge in roads if edge not in led_to),
        exits=tuple(edge for edge in roads if not ahead[edge]),
        sidewalks=_sidewalks(net),
    )


def _lanes(edge: Any, classes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(lane.getID() for lane in edge.getLanes() if all(lane.allows(name) for name in classes))


def _road(edge: Any, classes: tuple[str, ...]) -> Road:
    lanes = _lanes(edge, classes)
    following: dict[str, float] = {}
    ways: dict[str, list[str]] = {}  # lanes from which the edge can be reached
    for target, connections in edge.getOutgoing().items():
        open_ = [one for one in connections if one.getFromLane().getID() in lanes]
        open_ = [one for one in open_ if one.getToLane().getID() in _lanes(target, classes)]
        if open_ and not target.isSpecial():
            following[target.getID()] = TURN_TIME.get(open_[0].getDirection(), 0.0)
            ways[target.getID()] = [one.getFromLane().getID() for one in open_]
    needed = {origins[0] for origins in ways.values() if len(set(origins)) == 1}
    used = {lane for origins in ways.values() for lane in origins}
    return Road(
        origin=edge.getFromNode().getID(),
        target=edge.getToNode().getID(),
        length=edge.getLength(),
        time=edge.getLength() / max(edge.getSpeed(), 0.1),
        lanes=lanes,
        spare=tuple(lane for lane in lanes if lane in used - needed),
        next=tuple(sorted(following.items())),
    )


def _times(roads: Mapping[str, Road], taste: int) -> dict[str, float]:
    factors = 1 + SPREAD * np.random.default_rng(taste).random(len(roads))
    return {edge: road.time * float(factor) for (edge, road), factor in zip(roads.items(), factors, strict=True)}


def _fastest(roads: Mapping[str, Road], origin: str, times: Mapping[str, float]) -> dict[str, str]:
    """For each edge that can be reached, the edge before it."""
    before: dict[str, str] = {}
    heap = [(0.0, origin, origin)]
    while heap:
        time, edge, previous = heapq.heappop(heap)
        if edge in before:
            continue
        before[edge] = previous
        for following, turn in roads[edge].next:
            if following not in before:
                heapq.heappush(heap, (time + turn + times[following], following, edge))
    return before


def _sidewalks(net: Any) -> tuple[str, ...]:
    """Pedestrians walk both ways along a lane; where two lanes for them are connected, they can cross."""
    part = _Parts()
    for edge in net.getEdges(True):
        for following in edge.getOutgoing().values():
            for connection in following:
                one, other = connection.getFromLane(), connection.getToLane()
                if one.allows("pedestrian") and other.allows("pedestrian"):
                    part.join(one.getID(), other.getID())
    parts: dict[str, list[str]] = {}
    for edge in net.getEdges(False):
        for lane in edge.getLanes():
            if set(lane.getPermissions()) == {"pedestrian"}:
                parts.setdefault(part.of(lane.getID()), []).append(edge.getID())
    largest: list[str] = max(parts.values(), key=len, default=[])
    return tuple(largest)


class _Parts:
    """Which lanes belong together (union-find)."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def of(self, lane: str) -> str:
        while self._above.get(lane, lane) != lane:
            lane = self._above[lane]
        return lane

    def join(self, one: str, other: str) -> None:
        self._above[self.of(one)] = self.of(other)
