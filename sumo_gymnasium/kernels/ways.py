"""The way of a route: metre by metre along its edges and through the junctions between them, around a loop for ever."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from sumo_gymnasium.scenarios.lane_graph import LaneGraph, Successor
from sumo_gymnasium.scenarios.net import Net

FEW = 6  # lanes that are driven over within a step


class Stretch(NamedTuple):
    """A lane on the way ahead, and how far its begin is from the begin of the first one, m."""

    lane: str
    begin: float


@dataclass(frozen=True)
class Way:
    """A route, laid out.

    Attributes:
        edges: of the route, as SUMO has it.
        period: after how many edges the route repeats itself; None: it is no loop.
        begins: where each of `edges` begins, m.
        through: how far it is across the junction after each of `edges`, m.
        length: m; of a loop one lap.
    """

    edges: tuple[str, ...]
    period: int | None
    begins: tuple[float, ...]
    through: tuple[float, ...]
    length: float

    def after(self, index: int) -> str | None:
        """The edge after the one at `index`; None where the route ends."""
        if index + 1 < len(self.edges):
            return self.edges[index + 1]
        return None if self.period is None else self.edges[(index + 1) % self.period]


class Ways:
    """All ways on one network."""

    def __init__(self, net: Net, graph: LaneGraph) -> None:
        self.net, self.graph = net, graph
        self._ways: dict[tuple[str, ...], Way] = {}
        self._across: dict[str, tuple[float, float]] = {}

    def way(self, edges: Sequence[str]) -> Way:
        """The way of a route. A loop is counted from that of its edges whose id comes first in the alphabet."""
        key = tuple(edges)
        found = self._ways.get(key)
        if found is None:
            found = self._ways[key] = self._laid_out(key)
        return found

    def x(self, way: Way, index: int, lane: str, position: float) -> float:
        """How far `position` on `lane` is along the way, m; `index`: of the edge, or of the one before the junction."""
        if not lane.startswith(":"):
            return way.begins[index] + position
        before, after = self.across(lane)
        part = (before + position) / (before + after)  # lanes in a bend differ in length
        return way.begins[index] + self.edge_length(way.edges[index]) + part * way.through[index]

    def across(self, lane: str) -> tuple[float, float]:
        """How far it is from the begin of the junction to the begin of this lane inside, and from there on, m."""
        found = self._across.get(lane)
        if found is None:
            lengths, graph = self.net.lanes, self.graph
            before, after, lane_before, lane_after = 0.0, lengths[lane].length, lane, lane
            while (lane_before := graph.preceding[lane_before][0]).startswith(":"):
                before += lengths[lane_before].length
            while (lane_after := graph.following[lane_after][0].lane).startswith(":"):
                after += lengths[lane_after].length
            found = self._across[lane] = before, after
        return found

    def ahead(self, way: Way, index: int, lane: str) -> Iterator[Stretch]:
        """The lanes that a vehicle on `lane` drives over if it changes lanes only where it must, `lane` first.

        It ends with the route, or where a loop comes to the first lane again, which then is the last one, too.
        """
        first, begin = lane, 0.0
        while True:
            yield Stretch(lane, begin)
            if begin and lane == first:
                return
            begin += self.net.lanes[lane].length
            successor = self._next(way, index, lane)
            if successor is None:
                return
            lane = successor.lane
            index += not lane.startswith(":")
            if way.period is not None and index >= len(way.edges):
                index %= way.period

    def leads(self, lane: str, other: str) -> bool:
        """Whether one comes from `lane` to `other` without a change of lanes, over few other lanes."""
        reached = [lane]
        for _ in range(FEW):
            if other in reached:
                return True
            reached = [successor.lane for each in reached for successor in self.graph.following.get(each, ())]
        return False

    def origin(self, lane: str) -> str:
        """The edge of `lane`; of a lane inside a junction, the edge that leads to it."""
        while lane.startswith(":"):
            lane = self.graph.preceding[lane][0]
        return self.net.lanes[lane].edge

    def edge_length(self, edge: str) -> float:
        """m."""
        return self.net.lanes[self.net.edges[edge].lanes[0]].length

    def _next(self, way: Way, index: int, lane: str) -> Successor | None:
        if lane.startswith(":"):
            return self.graph.following[lane][0]
        edge = way.after(index)
        if edge is None:
            return None
        place, own = self.net.lanes[lane].index, self.net.lanes[lane].edge
        beside = sorted(self.net.edges[own].lanes, key=lambda other: abs(self.net.lanes[other].index - place))
        further = way.after(index + 1)
        for other in beside:  # where this lane does not lead to the edge, the nearest that does
            found = self._to(other, edge)
            if found:
                return next((one for one in found if further and self._to(one.target, further)), found[0])
        return None

    def _to(self, lane: str, edge: str) -> list[Successor]:
        lanes = self.net.lanes
        return [one for one in self.graph.following.get(lane, ()) if lanes[one.target].edge == edge]

    def _laid_out(self, edges: tuple[str, ...]) -> Way:
        period = self._period(edges)
        following = (*edges[1:], edges[0] if period is None else edges[len(edges) % period])
        through = tuple(self._through(*pair) for pair in zip(edges, following, strict=True))
        lengths = [self.edge_length(edge) + across for edge, across in zip(edges, through, strict=True)]
        if period is None:
            total = sum(lengths) - through[-1]
            return Way(edges, None, tuple(accumulate(lengths[:-1], initial=0.0)), through, total)
        first = min(range(period), key=lambda place: edges[place])
        lap = [(first + place) % period for place in range(period)]
        from_first = dict(zip(lap, accumulate((lengths[place] for place in lap[:-1]), initial=0.0), strict=True))
        begins = tuple(from_first[place % period] for place in range(len(edges)))
        return Way(edges, period, begins, through, sum(lengths[:period]))

    def _period(self, edges: tuple[str, ...]) -> int | None:
        count = len(edges)
        for place in range(1, count):
            if edges[place] == edges[0] and edges[place:] == edges[:-place]:
                return place
        leads_back = any(self._to(lane, edges[0]) for lane in self.net.edges[edges[-1]].lanes)
        return count if leads_back else None

    def _through(self, edge: str, following: str) -> float:
        """Across the junction on the rightmost way from `edge` to `following`, m; 0 where there is none."""
        for lane in self.net.edges[edge].lanes:
            for successor in self._to(lane, following):
                inside = successor.lane.startswith(":")
                return self.across(successor.lane)[1] if inside else 0.0
        return 0.0
