"""The network kernel: what the net file says, and what is on its lanes now."""

from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

from sumo_gymnasium.backends import Backend
from sumo_gymnasium.scenarios.net import Edge, Junction, Lane, Net

TURNS = ("t", "T")  # SUMO's letters for turning round, right- and left-hand


class Occupied(NamedTuple):
    """A lane with vehicles on it: its place among the lanes asked for, its id, and the vehicles, the first last."""

    place: int
    lane: str
    vehicles: tuple[str, ...]


class NetworkKernel:
    """Static facts by id (`lanes`, `edges`, `junctions`), and live readings of lanes, each read once a step.

    Ids that are not in the net are a KeyError.
    """

    def __init__(self, net: Net) -> None:
        self._net = net
        self._lane: Any = None
        self._occupied: dict[tuple[str, ...], list[Occupied]] = {}
        self._neighbours: dict[str, tuple[str, ...]] = {}

    def load(self, net: Net) -> None:
        """A variant of the network: the same lanes, edges and junctions, of other lengths and shapes."""
        self._net = net

    def start(self, backend: Backend) -> None:
        """A new episode begins in `backend`."""
        self._lane = backend.lane
        self._occupied.clear()

    def stop(self) -> None:
        """The backend is gone."""
        self._lane = None

    def update(self, count: int) -> None:
        """Steps were made: what was read is old."""
        self._occupied.clear()

    @property
    def lanes(self) -> Mapping[str, Lane]:
        """All lanes, also those inside junctions (their ids begin with ":")."""
        return self._net.lanes

    @property
    def edges(self) -> Mapping[str, Edge]:
        """All edges, also those inside junctions."""
        return self._net.edges

    @property
    def junctions(self) -> Mapping[str, Junction]:
        """All junctions (nodes)."""
        return self._net.junctions

    def length(self, lane: str) -> float:
        """m."""
        return self._net.lanes[lane].length

    def speed_limit(self, lane: str) -> float:
        """m/s."""
        return self._net.lanes[lane].speed

    def next_lanes(self, lane: str) -> tuple[str, ...]:
        """The lanes that can be driven to from the end of `lane`, junctions left out."""
        return self._net.lanes[lane].next

    def previous_lanes(self, lane: str) -> tuple[str, ...]:
        """The lanes from which `lane` can be driven to."""
        return self._net.lanes[lane].previous

    def neighbours(self, signal: str) -> tuple[str, ...]:
        """The signals next to `signal`, the nearest first: a road leads from one to the other, past no third.

        A signal where one can only turn round is not counted: netgenerate puts them at dead ends.
        """
        if not self._neighbours:
            self._neighbours = _neighbours(self._net)
        return self._neighbours[signal]

    def occupied(self, lanes: tuple[str, ...]) -> list[Occupied]:
        """Those of `lanes` with a vehicle on them, in their order: the quick way, since most lanes are empty."""
        found = self._occupied.get(lanes)
        if found is None:
            read = self._lane.getLastStepVehicleIDs
            found = self._occupied[lanes] = []
            for place, lane in enumerate(lanes):
                vehicles = read(lane)
                if vehicles:
                    found.append(Occupied(place, lane, vehicles))
        return found

    def vehicles(self, lane: str) -> tuple[str, ...]:
        """The vehicles whose front is on `lane`, in driving order, the first last."""
        found = self.occupied((lane,))
        return found[0].vehicles if found else ()

    def vehicle_count(self, lane: str) -> int:
        """Vehicles whose front is on `lane`."""
        return len(self.vehicles(lane))

    def queue_length(self, lane: str) -> int:
        """Vehicles on `lane` slower than 0.1 m/s."""
        count: int = self._lane.getLastStepHaltingNumber(lane)
        return count

    def waiting_time(self, lane: str) -> float:
        """Time since each vehicle on `lane` last drove at least 0.1 m/s, added up, s."""
        return float(self._lane.getWaitingTime(lane))

    def carbon_dioxide(self, lane: str) -> float:
        """CO₂ that the vehicles on `lane` emit now, g/s."""
        return float(self._lane.getCO2Emission(lane)) / 1000  # SUMO says mg/s

    def vehicle_length(self, lane: str) -> float:
        """Mean length of the vehicles on `lane`, m; 0 without vehicles."""
        length: float = self._lane.getLastStepLength(lane)
        return length

    def mean_speed(self, lane: str) -> float | None:
        """Mean speed of the vehicles on `lane`, m/s."""
        return float(self._lane.getLastStepMeanSpeed(lane)) if self.vehicle_count(lane) else None

    def occupancy(self, lane: str) -> float:
        """The part of `lane` that is covered by vehicles, 0 to 1."""
        return min(float(self._lane.getLastStepOccupancy(lane)) / 100, 1.0)  # SUMO says %


def _neighbours(net: Net) -> dict[str, tuple[str, ...]]:
    """For each signal those next to it; see `NetworkKernel.neighbours`."""
    controlled: dict[str, dict[str, None]] = {}  # by edge, the signals at its end
    for signal, links in net.links.items():
        for link in links:
            if not link.crossing:
                controlled.setdefault(net.lanes[link.origin].edge, {})[signal] = None
    known = {signal for signal, links in net.links.items() if any(link.direction not in TURNS for link in links)}
    found: dict[str, dict[str, float]] = {signal: {} for signal in net.links}
    for signal in net.links:
        for other, metres in _ahead(net, signal, controlled):
            if other != signal and {other, signal} <= known:
                found[signal][other] = min(metres, found[signal].get(other, metres))
                found[other][signal] = min(metres, found[other].get(signal, metres))
    by_distance = {
        signal: sorted((metres, other) for other, metres in others.items()) for signal, others in found.items()
    }
    return {signal: tuple(other for _, other in others) for signal, others in by_distance.items()}


def _ahead(net: Net, signal: str, controlled: Mapping[str, Mapping[str, None]]) -> Iterator[tuple[str, float]]:
    """The signals that are met first when driving on from `signal`, and how far that is, m (Dijkstra's search)."""
    exits = (net.lanes[link.target].edge for link in net.links[signal] if not link.crossing)
    coming = [(_length(net, edge), edge) for edge in dict.fromkeys(exits)]
    heapify(coming)
    passed = set()
    while coming:
        metres, edge = heappop(coming)
        if edge in passed:
            continue
        passed.add(edge)
        if edge in controlled:
            yield from ((other, metres) for other in controlled[edge])
            continue
        lanes = (net.lanes[lane] for lane in net.edges[edge].lanes)
        for ahead in (net.lanes[following].edge for lane in lanes if lane.vehicles for following in lane.next):
            heappush(coming, (metres + _length(net, ahead), ahead))


def _length(net: Net, edge: str) -> float:
    return net.lanes[net.edges[edge].lanes[0]].length
