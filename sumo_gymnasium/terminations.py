"""What ends an agent before the scenario's end. Signals end with the scenario, which is truncation."""

from dataclasses import dataclass
from typing import Protocol

from sumo_gymnasium.config import SHORTEST, time
from sumo_gymnasium.kernels.kernel import Kernel


class Termination(Protocol):
    """Whether an agent's life is over."""

    def __call__(self, kernel: Kernel, agent: str, /) -> bool:
        """Asked after each decision."""


@dataclass(frozen=True)
class Collision:
    """The vehicle has crashed.

    Attributes:
        anyone: whether a crash of other vehicles ends its life, too.
    """

    anyone: bool = False

    def __call__(self, kernel: Kernel, vehicle: str) -> bool:
        """In this decision."""
        vehicles = kernel.vehicle
        crashed = {*vehicles.collided, *(name for name, status in vehicles.gone.items() if status == "collided")}
        return bool(crashed) if self.anyone else vehicle in crashed


@dataclass(frozen=True)
class Arrived:
    """The vehicle has reached the end of its route."""

    def __call__(self, kernel: Kernel, vehicle: str) -> bool:
        """In this decision."""
        return vehicle in kernel.vehicle.arrived or kernel.vehicle.gone.get(vehicle) == "arrived"


@dataclass(frozen=True)
class Stuck:
    """The vehicle has been slower than 0.1 m/s for a long time; planned stops do not count.

    Attributes:
        seconds: how long, s.
    """

    seconds: float = 60.0

    def __post_init__(self) -> None:
        time("seconds", self.seconds, least=SHORTEST)

    def __call__(self, kernel: Kernel, vehicle: str) -> bool:
        """Now."""
        return kernel.vehicle.waiting_time(vehicle) >= self.seconds


@dataclass(frozen=True)
class Gridlock:
    """All vehicles on the road have been slower than 0.1 m/s for a long time.

    Attributes:
        seconds: how long, s.
    """

    seconds: float = 60.0

    def __post_init__(self) -> None:
        time("seconds", self.seconds, least=SHORTEST)

    def __call__(self, kernel: Kernel, agent: str) -> bool:
        """Now; never without vehicles."""
        ids = kernel.vehicle.ids
        return bool(ids) and all(kernel.vehicle.waiting_time(vehicle) >= self.seconds for vehicle in ids)


@dataclass(frozen=True)
class OffRoute:
    """The vehicle is on a road that is not on its route, or can go no farther along it from the lane that it is in.

    A learner that chooses lanes can take one that does not lead where the route goes: at its end the vehicle waits for
    ever. A lane counts as wrong when less than `near` of it is left.

    Attributes:
        near: m.
    """

    near: float = 5.0

    def __post_init__(self) -> None:
        if not self.near > 0:
            raise ValueError(f"near={self.near!r}: expected a distance above 0, in m")

    def __call__(self, kernel: Kernel, vehicle: str) -> bool:
        """Now; never inside a junction, nor on the last edge of the route."""
        vehicles, network = kernel.vehicle, kernel.network
        lane, route = vehicles.lane(vehicle), vehicles.route(vehicle)
        if lane.startswith(":"):
            return False
        edge, place = network.lanes[lane].edge, vehicles.route_index(vehicle)
        if edge not in route:
            return True
        near = network.length(lane) - vehicles.lane_position(vehicle) < self.near
        leads_to = [network.lanes[ahead].edge for ahead in network.next_lanes(lane)]
        return near and place + 1 < len(route) and route[place + 1] not in leads_to


TERMINATIONS: dict[str, Termination] = {
    "collision": Collision(),
    "any_collision": Collision(anyone=True),
    "arrived": Arrived(),
    "stuck": Stuck(),
    "gridlock": Gridlock(),
    "off_route": OffRoute(),
}
