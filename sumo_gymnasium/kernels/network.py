"""The network kernel: what the net file says, and what is on its lanes now."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sumo_gymnasium.backends import Backend
from sumo_gymnasium.scenarios.net import Edge, Junction, Lane, Net


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
