"""The vehicle kernel: reads, neighbours and commands of single vehicles, and what happens to them in each step."""

from collections.abc import Iterable
from typing import NamedTuple

from sumo_gymnasium.kernels.vehicle_commands import VehicleCommands

HARDEST = 10.0  # m/s²; no vehicle accelerates more


class Seen(NamedTuple):
    """The lane of a vehicle when it was last looked at, and when it last changed lanes, s."""

    lane: str
    since: float


class VehicleKernel(VehicleCommands):
    """All vehicles. Events are read, and kept vehicles looked at, once in every simulation step."""

    def _clear(self) -> None:
        super()._clear()
        self._watching = False
        self._gone: dict[str, str] = {}
        self._happened: dict[str, str] = {}
        self._pending: dict[str, None] = {}
        self._since: dict[str, Seen] = {}
        self._waited: dict[str, tuple[str, float, float]] = {}  # edge, waiting before it, waiting when last read

    def update(self, count: int) -> None:
        """Steps were made: what was read is old."""
        self._columns.clear()
        self._lanes.clear()
        before, self._on_road = self._on_road, None
        if self._watching:
            self._watch([*(before or ()), *self._taken])
        self._taken.clear()
        if self._orders or self._wishes or self._before:
            self._follow_up()
        if self._since:
            self._look_at_lanes()
        self._keep_up()

    def command(self, most: int) -> int:
        """See `VehicleCommands`; while somebody looks at vehicles, every step is one by itself."""
        most = super().command(most)
        return 1 if self._watching or self._kept or self._since else most

    @property
    def watching(self) -> bool:
        """Whether events are read in every simulation step; set it where vehicles are agents."""
        return self._watching

    @watching.setter
    def watching(self, value: bool) -> None:
        self._watching = value
        if value:
            self._here()  # who is on the road before the first step

    @property
    def gone(self) -> dict[str, str]:
        """What has become of vehicles since `clear_events`: "arrived", "collided", "teleported" or "removed"."""
        return self._gone

    def clear_events(self) -> None:
        """Begin `gone` anew."""
        self._gone.clear()

    @property
    def departed(self) -> tuple[str, ...]:
        """Inserted in the last step."""
        return tuple(self._running.simulation.getDepartedIDList())

    @property
    def arrived(self) -> tuple[str, ...]:
        """Those that came to the end of their route in the last step."""
        return self._with("arrived")

    @property
    def collided(self) -> tuple[str, ...]:
        """Those that were in a collision in the last step."""
        return self._with("collided")

    @property
    def teleported(self) -> tuple[str, ...]:
        """Those that SUMO took off the road in the last step, to put them back further on."""
        return self._with("teleported")

    @property
    def removed(self) -> tuple[str, ...]:
        """Those that went in the last step in any other way; only while `watching`."""
        return self._with("removed")

    @property
    def never_inserted(self) -> tuple[str, ...]:
        """Those that waited to depart, and that SUMO gave up in the last step."""
        return self._with("never inserted")

    @property
    def pedestrians(self) -> tuple[tuple[float, float], ...]:
        """Where people walk or wait who are in no vehicle, m."""
        people = self._running.person
        return tuple(people.getPosition(person) for person in people.getIDList() if not people.getVehicle(person))

    def forget(self, vehicles: Iterable[str]) -> None:
        """No longer keep what is read of `vehicles`; those on the road go back to SUMO's driver."""
        for vehicle in vehicles:
            self._kept.pop(vehicle, None)
            self._fixed.pop(vehicle, None)
            self._frozen.discard(vehicle)
            if vehicle in self._here():
                self.release(vehicle)
            self._done.pop(vehicle, None)
            self._outcomes.pop(vehicle, None)
        self._columns.clear()
        if not self._frozen:
            self._echoes.clear()

    def time_since_lane_change(self, vehicle: str) -> float:
        """Since it last changed lanes, or departed, s. Looked at from the first time that it is asked for, or kept."""
        return float(self._once("time since lane change", vehicle, self._time_on_lane))

    def waiting_time_on_edge(self, vehicles: Iterable[str], edge: str) -> float:
        """Waiting of `vehicles`, all on `edge` now, since each was first read there; summed, s.

        What a vehicle had waited elsewhere by its last reading there is left out, as sumo-rl does a lane at a time.
        """
        read, waited = self._domain.getAccumulatedWaitingTime, self._waited
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

    def keep(self, vehicles: Iterable[str]) -> None:
        """See `Snapshots`."""
        vehicles = tuple(vehicles)
        super().keep(vehicles)
        for vehicle in vehicles:
            self._time_on_lane(vehicle)

    def _keep_up(self) -> None:
        """Keep the state of those on the road, and no other for those that have gone; a collision is seen still."""
        for vehicle in self._kept:
            if self._gone.get(vehicle, "collided") != "collided" or vehicle not in self._here():
                self._frozen.add(vehicle)  # SUMO may have put one that teleports back onto the road already
        if not self._frozen:
            self._echoes.clear()
        self._take_snapshots([vehicle for vehicle in self._kept if vehicle not in self._frozen])
        self._frozen.update(vehicle for vehicle in self._gone if vehicle in self._kept)

    def _watch(self, before: Iterable[str]) -> None:
        """Note what happened in the last step to those who were on the road before, or waited."""
        events = self._events()
        here = self._here()
        for vehicle in before:
            if vehicle not in here:
                events.setdefault(vehicle, "removed")
        self._gone.update({vehicle: status for vehicle, status in events.items() if vehicle not in self._gone})
        pending, departed = dict.fromkeys(self._running.simulation.getPendingVehicles()), self.departed
        for vehicle in self._pending:
            if vehicle not in pending and vehicle not in departed:
                events[vehicle] = "never inserted"
        self._pending, self._happened = pending, events

    def _events(self) -> dict[str, str]:
        """What SUMO says happened in the last step. A vehicle that collides and is removed for it "arrives", too."""
        simulation = self._running.simulation
        events: dict[str, str] = {}
        for collision in simulation.getCollisions():  # the list of colliding ids names them in the first step only
            events[collision.collider] = events[collision.victim] = "collided"
        for vehicle in simulation.getStartingTeleportIDList():
            events.setdefault(vehicle, "teleported")
        for vehicle in simulation.getArrivedIDList():
            events.setdefault(vehicle, "arrived" if self._could_arrive(vehicle) else "removed")
        return events

    def _could_arrive(self, vehicle: str) -> bool:
        """Whether a kept vehicle was near enough to its last edge; SUMO says "arrived" of those it vaporises, too."""
        known = self._kept.get(vehicle)
        if known is None:
            return True
        way, index, step_length = self._ways.way(known["getRoute"]), known["getRouteIndex"], self.step_length
        remaining = range(index, len(way.edges) - 1)
        left = sum(self._ways.edge_length(way.edges[place]) + way.through[place] for place in remaining)
        if remaining:
            inside = known["getLaneID"].startswith(":")
            left -= self._ways.edge_length(way.edges[index]) if inside else known["getLanePosition"]
        reach = (known["getSpeed"] + HARDEST * step_length) * step_length
        return bool(left <= reach)

    def _with(self, status: str) -> tuple[str, ...]:
        events = self._happened if self._watching else self._events()
        return tuple(vehicle for vehicle, its in events.items() if its == status)

    def _time_on_lane(self, vehicle: str) -> float:
        if vehicle not in self._since:
            departure = float(self._domain.getDeparture(vehicle))
            self._since[vehicle] = Seen(self.lane(vehicle), departure)
        return max(0.0, self._simulation.time - self._since[vehicle].since)

    def _look_at_lanes(self) -> None:
        for vehicle, last in [*self._since.items()]:
            if vehicle in self._here():
                lane = self._domain.getLaneID(vehicle)
                if lane != last.lane:
                    changed = not self._ways.leads(last.lane, lane)
                    self._since[vehicle] = Seen(lane, self._simulation.time if changed else last.since)
            elif vehicle not in self._kept:
                del self._since[vehicle]
