"""Commands to vehicles, given again each simulation step where SUMO forgets them, and what became of them."""

import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from sumo_gymnasium.backends.libsumo import REFUSED
from sumo_gymnasium.kernels.modes import Modes
from sumo_gymnasium.kernels.neighbours import VehicleNeighbours
from sumo_gymnasium.kernels.safety import Filter

Outcome = Literal["changed", "refused", "none"]
OPAQUE = 255


class Order(NamedTuple):
    """What a vehicle is told until it is told something else: an acceleration (m/s²) or a speed (m/s)."""

    kind: Literal["acceleration", "speed"]
    value: float


class Done(NamedTuple):
    """The accelerations of the last order, m/s²."""

    requested: float
    filtered: float
    applied: float


class Wish(NamedTuple):
    """A change of lanes: from which to which."""

    origin: str
    target: str


class VehicleCommands(VehicleNeighbours):
    """Commands are for vehicles on the road, else a `NotOnRoad` error, and hold until the next one or `release`."""

    def _clear(self) -> None:
        super()._clear()
        self._orders: dict[str, Order] = {}
        self._done: dict[str, Done] = {}
        self._wishes: dict[str, Wish] = {}
        self._outcomes: dict[str, Outcome] = {}
        self._before: dict[str, dict[str, float]] = {}  # by setter, what held before the first command
        self._filters: dict[str, tuple[Filter, ...]] = {}
        self._modes: dict[str, Modes] = {}
        self._taken: list[str] = []  # whom we removed since the last step

    def accelerate(self, vehicle: str, acceleration: float) -> None:
        """Accelerate so in every simulation step from now on, m/s²; SUMO's speed mode may limit it."""
        self._order(vehicle, Order("acceleration", _finite("acceleration", acceleration)))

    def drive(self, vehicle: str, speed: float) -> None:
        """Drive at `speed` as soon as it can, m/s."""
        self._order(vehicle, Order("speed", _positive("speed", speed)))

    def limit_speed(self, vehicle: str, speed: float) -> None:
        """Never drive faster, m/s."""
        self._must_be_here(vehicle)
        self._before.setdefault(vehicle, {}).setdefault("setMaxSpeed", self._domain.getMaxSpeed(vehicle))
        self._domain.setMaxSpeed(vehicle, _positive("speed", speed))
        self._read_again(vehicle, "getMaxSpeed")

    def set_headway(self, vehicle: str, time: float) -> None:
        """Wish for this time between the leader's back and its own front, s (SUMO's tau)."""
        self._must_be_here(vehicle)
        self._before.setdefault(vehicle, {}).setdefault("setTau", self._domain.getTau(vehicle))
        self._domain.setTau(vehicle, _positive("time", time))
        self._read_again(vehicle, "getTau")

    def set_colour(self, vehicle: str, colour: tuple[int, int, int]) -> None:
        """Red, green and blue, 0 to 255 each, in SUMO's window."""
        self._must_be_here(vehicle)
        if len(colour) != 3 or not all(0 <= part <= 255 for part in colour):
            raise ValueError(f"colour={colour!r}: expected red, green and blue, 0 to 255 each")
        self._domain.setColor(vehicle, (*map(int, colour), OPAQUE))

    def set_route(self, vehicle: str, edges: Sequence[str]) -> None:
        """Drive along `edges`, of which the first is where it is, or the one before the junction that it is in.

        Raises:
            ValueError: one cannot drive so from there.
        """
        self._must_be_here(vehicle)
        try:
            self._domain.setRoute(vehicle, list(edges))
        except REFUSED as error:
            raise ValueError(
                f"route {' '.join(edges)!r} for vehicle {vehicle!r}, which is on {self.edge(vehicle)!r}: {error} "
                "Expected connected edges, beginning with its own"
            ) from error
        self._read_again(vehicle, "getRoute", "getRouteIndex")

    def change_lane(self, vehicle: str, direction: int = 0, *, index: int | None = None) -> None:
        """Change lanes: 1 to the left, -1 to the right, 0 not at all; or to the lane of an index, 0 on the right.

        It is tried in every simulation step until it is done, the edge ends, or something else is asked for.
        """
        self._must_be_here(vehicle)
        if direction not in (-1, 0, 1):
            raise ValueError(f"direction={direction!r}: expected 1 (left), -1 (right) or 0")
        lane = str(self._domain.getLaneID(vehicle))
        lanes = self._ways.net.edges[self._ways.net.lanes[lane].edge].lanes
        own = lanes.index(lane)
        wanted = own + direction if index is None else index
        self._wishes.pop(vehicle, None)
        self._outcomes[vehicle] = "none" if wanted == own else "refused"
        if wanted != own and 0 <= wanted < len(lanes):  # else SUMO would say nothing
            self._wishes[vehicle] = Wish(lane, lanes[wanted])

    def release(self, vehicle: str) -> None:
        """Give the vehicle back to SUMO's driver: with its own speed, max speed, headway and lanes."""
        self._must_be_here(vehicle)
        if self._orders.pop(vehicle, None) is not None:
            self._domain.setSpeed(vehicle, -1)
        for name, value in self._before.pop(vehicle, {}).items():
            getattr(self._domain, name)(vehicle, value)
            self._read_again(vehicle, name.replace("set", "get"))
        for memory in (self._wishes, self._done, self._outcomes, self._filters):
            memory.pop(vehicle, None)

    def remove(self, vehicle: str) -> None:
        """Take the vehicle off the road; after the next step it is "removed"."""
        self._must_be_here(vehicle)
        self._domain.remove(vehicle)
        self._on_road = {other: None for other in self._here() if other != vehicle}
        self._taken.append(vehicle)
        self._columns.clear()
        if vehicle in self._kept:
            self._frozen.add(vehicle)

    def modes(self, modes: Mapping[str, Modes]) -> None:
        """How far SUMO checks what vehicles are told, by id or vehicle type, the id first; and of all who depart later.

        What was said before of other ids and types stays. SUMO's own modes hold again for an id that departs a second
        time, so ours are set at each departure.
        """
        self._modes.update(modes)
        for vehicle in self._here():
            self._set_modes(vehicle)

    def filters(self, vehicle: str, filters: Sequence[Filter]) -> None:
        """What each acceleration goes through between what is requested and what SUMO is told, in this order."""
        self._must_be_here(vehicle)
        self._filters[vehicle] = tuple(filters)

    @property
    def controlled(self) -> tuple[str, ...]:
        """Those that are told how to drive."""
        return tuple(self._orders)

    def requested(self, vehicle: str) -> float | None:
        """The acceleration of the last order, m/s²; of a speed, what leads to it in one step; None: there was none."""
        return self._done[vehicle].requested if vehicle in self._done else None

    def filtered(self, vehicle: str) -> float | None:
        """What the filters made of it, m/s²."""
        return self._done[vehicle].filtered if vehicle in self._done else None

    def applied(self, vehicle: str) -> float | None:
        """What SUMO was told, m/s²: no vehicle drives backwards."""
        return self._done[vehicle].applied if vehicle in self._done else None

    def realised(self, vehicle: str) -> float:
        """What came about in the last step, m/s²."""
        return self.acceleration(vehicle)

    def lane_change_outcome(self, vehicle: str) -> Outcome:
        """What became of the last wish to change lanes: "changed", "refused" (as yet), or "none" if there was none."""
        return self._outcomes.get(vehicle, "none")

    def command(self, most: int) -> int:
        """Tell SUMO what vehicles are to do in the next step; for how many steps that holds, up to `most`."""
        for vehicle in self._running.simulation.getDepartedIDList() if self._modes else ():
            if vehicle in self._here():
                self._set_modes(vehicle)
        for vehicle in [*self._orders]:
            if vehicle in self._here():
                self._drive(vehicle, self._orders[vehicle])
        for vehicle, wish in [*self._wishes.items()]:
            target = self._ways.net.lanes[wish.target]
            if vehicle in self._here() and self._domain.getRoadID(vehicle) == target.edge:
                self._domain.changeLane(vehicle, target.index, self.step_length)
            else:
                del self._wishes[vehicle]
        return 1 if self._orders or self._wishes or self._modes else most

    def _drive(self, vehicle: str, order: Order) -> None:
        speed, step_length = float(self._domain.getSpeed(vehicle)), self.step_length
        requested = order.value if order.kind == "acceleration" else (order.value - speed) / step_length
        filtered = requested
        for passes in self._filters.get(vehicle, ()):
            filtered = passes(self, vehicle, filtered)
        target = max(0.0, speed + filtered * step_length)
        self._domain.setSpeed(vehicle, target)
        self._done[vehicle] = Done(requested, filtered, (target - speed) / step_length)

    def _follow_up(self) -> None:
        """A step was made: forget those who have gone, and see who has changed lanes."""
        ordered = {**self._orders, **self._wishes, **self._before}
        for vehicle in ordered:
            if vehicle not in self._here():
                for memory in (self._orders, self._wishes, self._before, self._filters):
                    memory.pop(vehicle, None)
        for vehicle, (origin, target) in [*self._wishes.items()]:
            lane = self._domain.getLaneID(vehicle)
            if lane == target or (self._ways.leads(target, lane) and not self._ways.leads(origin, lane)):
                self._outcomes[vehicle] = "changed"
                del self._wishes[vehicle]

    def _read_again(self, vehicle: str, *names: str) -> None:
        """What getters of these names say has changed within the step."""
        self._domain.refresh(vehicle)
        for name in names:
            self._columns.get(name, {}).pop(vehicle, None)
            if name in self._kept.get(vehicle, {}):
                self._kept[vehicle][name] = self._getter(name)(vehicle)

    def _order(self, vehicle: str, order: Order) -> None:
        self._must_be_here(vehicle)
        self._orders[vehicle] = order

    def _set_modes(self, vehicle: str) -> None:
        found = self._modes.get(vehicle) or self._modes.get(self.type(vehicle))
        if found is not None:
            self._domain.setSpeedMode(vehicle, int(found.speed))
            self._domain.setLaneChangeMode(vehicle, int(found.lane_change))


def _finite(name: str, value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{name}={value!r}: expected a finite number")
    return float(value)


def _positive(name: str, value: float) -> float:
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"{name}={value!r}: expected a finite number, 0 or more")
    return float(value)
