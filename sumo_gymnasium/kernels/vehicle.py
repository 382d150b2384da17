"""The vehicle kernel: readings of single vehicles."""

from collections.abc import Iterable
from typing import Any

from sumo_gymnasium.backends import Backend


class VehicleKernel:
    """Readings of vehicles that are on the road. An id that is not there is SUMO's error."""

    def __init__(self) -> None:
        self._vehicle: Any = None
        self._person: Any = None
        self._waited: dict[str, tuple[str, float, float]] = {}  # edge, waiting before it, waiting when last read

    def start(self, backend: Backend) -> None:
        """A new episode begins in `backend`."""
        self._vehicle, self._person = backend.vehicle, backend.person
        self._waited.clear()

    def stop(self) -> None:
        """The backend is gone."""
        self._vehicle = self._person = None

    def update(self, count: int) -> None:
        """Steps were made; every reading is SUMO's own, so none is old."""

    @property
    def ids(self) -> tuple[str, ...]:
        """All vehicles on the road."""
        return tuple(self._vehicle.getIDList())

    @property
    def loaded(self) -> tuple[str, ...]:
        """All vehicles that SUMO holds: on the road, waiting for insertion, or read ahead."""
        return tuple(self._vehicle.getLoadedIDList())

    @property
    def pedestrians(self) -> tuple[tuple[float, float], ...]:
        """Where people walk or wait who are in no vehicle, m."""
        people = self._person
        return tuple(people.getPosition(person) for person in people.getIDList() if not people.getVehicle(person))

    def speed(self, vehicle: str) -> float:
        """m/s."""
        return float(self._vehicle.getSpeed(vehicle))

    def lane_position(self, vehicle: str) -> float:
        """How far its front is from the beginning of its lane, m."""
        return float(self._vehicle.getLanePosition(vehicle))

    def position(self, vehicle: str) -> tuple[float, float]:
        """Where the middle of its front bumper is, m."""
        x, y = self._vehicle.getPosition(vehicle)
        return x, y

    def angle(self, vehicle: str) -> float:
        """Where it heads: degrees clockwise from north (up)."""
        return float(self._vehicle.getAngle(vehicle))

    def length(self, vehicle: str) -> float:
        """m."""
        return float(self._vehicle.getLength(vehicle))

    def width(self, vehicle: str) -> float:
        """m."""
        return float(self._vehicle.getWidth(vehicle))

    def waiting_time(self, vehicle: str) -> float:
        """Since the vehicle last drove at least 0.1 m/s, s."""
        return float(self._vehicle.getWaitingTime(vehicle))

    def accumulated_waiting_time(self, vehicle: str) -> float:
        """All waiting within SUMO's `waiting-time-memory`, s."""
        return float(self._vehicle.getAccumulatedWaitingTime(vehicle))

    def time_loss(self, vehicle: str) -> float:
        """Time lost since departure against driving at the speed that it wishes for, s."""
        return float(self._vehicle.getTimeLoss(vehicle))

    def waiting_time_on_edge(self, vehicles: Iterable[str], edge: str) -> float:
        """Waiting of `vehicles`, all on `edge` now, since each was first read there; summed, s.

        What a vehicle had waited elsewhere by its last reading there is left out, as sumo-rl does a lane at a time.
        """
        read, waited = self._vehicle.getAccumulatedWaitingTime, self._waited
        total = 0.0
        for vehicle in vehicles:
            now = read(vehicle)
            found = waited.get(vehicle)
            if found is None:
                if not now:  # most vehicles have not waited yet
                    continue
                before = 0.0
            else:
                known, before, last = found
                if known != edge:
                    before = last
            waited[vehicle] = edge, before, now
            if now > before:  # SUMO's memory may have forgotten some
                total += now - before
        return total
