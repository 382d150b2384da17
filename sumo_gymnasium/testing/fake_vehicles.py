"""Vehicles without SUMO: a kernel that reads a table of hand-made numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from sumo_gymnasium.errors import NotOnRoad
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.network import NetworkKernel
from sumo_gymnasium.scenarios.net import Edge, Lane, Net
from sumo_gymnasium.testing.fakes import FakeSignal, FakeSimulation, fake_kernel


@dataclass
class FakeVehicle:
    """One vehicle. Each field is what the read of that name in `VehicleKernel` gives; neighbours are (id, gap)."""

    speed: float = 10.0
    previous_speed: float = 10.0
    acceleration: float = 0.0
    lane: str = "e_0"
    lane_index: int = 0
    lane_position: float = 0.0
    edge: str = "e"
    route: tuple[str, ...] = ("e",)
    route_index: int = 0
    position: tuple[float, float] = (0.0, 0.0)
    angle: float = 90.0
    length: float = 5.0
    min_gap: float = 2.5
    max_speed: float = 30.0
    speed_limit: float = 20.0
    type: str = "human"
    x: float = 0.0
    way_length: float = 1000.0
    distance: float = 0.0
    time_since_lane_change: float = 1000.0
    waiting_time: float = 0.0
    fuel: float = 0.0
    leader: Any = None
    follower: Any = None
    left_leader: Any = None
    left_follower: Any = None
    right_leader: Any = None
    right_follower: Any = None
    lane_neighbours: Any = ()
    requested: float | None = None
    applied: float | None = None
    realised: float | None = None
    lane_change_outcome: str = "none"


@dataclass
class FakeVehicleTable:
    """Reads and commands of `VehicleKernel`; `commands` holds what was asked for, in order."""

    vehicles: Mapping[str, FakeVehicle]
    collided: tuple[str, ...] = ()
    arrived: tuple[str, ...] = ()
    gone: dict[str, str] = field(default_factory=dict)
    commands: list[tuple[Any, ...]] = field(default_factory=list)

    @property
    def ids(self) -> tuple[str, ...]:
        """All that are on the road."""
        return tuple(name for name in self.vehicles if name not in self.gone)

    def __getattr__(self, read: str) -> Callable[[str], Any]:
        """The read of that name: what stands in the vehicle's field."""
        if read not in FakeVehicle.__dataclass_fields__:
            raise AttributeError(read)

        def value(vehicle: str) -> Any:
            if vehicle not in self.vehicles:
                raise NotOnRoad(f"vehicle {vehicle!r} is not in the table; expected one of {', '.join(self.vehicles)}")
            return getattr(self.vehicles[vehicle], read)

        return value

    def accelerate(self, vehicle: str, acceleration: float) -> None:
        """Note it."""
        self.commands.append(("accelerate", vehicle, acceleration))

    def drive(self, vehicle: str, speed: float) -> None:
        """Note it."""
        self.commands.append(("drive", vehicle, speed))

    def limit_speed(self, vehicle: str, speed: float) -> None:
        """Note it."""
        self.commands.append(("limit_speed", vehicle, speed))

    def change_lane(self, vehicle: str, direction: int) -> None:
        """Note it."""
        self.commands.append(("change_lane", vehicle, direction))

    def set_route(self, vehicle: str, edges: Sequence[str]) -> None:
        """Note it."""
        self.commands.append(("set_route", vehicle, tuple(edges)))

    def release(self, vehicle: str) -> None:
        """Note it."""
        self.commands.append(("release", vehicle))


class FakeRoad(NamedTuple):
    """One edge, with its lanes "<edge>_0", "<edge>_1" and so on, from the right.

    Attributes:
        length: m.
        lanes: how many.
        speed: limit, m/s.
        next: the edges that every lane leads to, onto their lane of the same number or their last one.
    """

    length: float = 100.0
    lanes: int = 1
    speed: float = 20.0
    next: tuple[str, ...] = ()


def fake_vehicles(
    vehicles: Mapping[str, FakeVehicle],
    roads: Mapping[str, FakeRoad] | None = None,
    signals: Mapping[str, FakeSignal] | None = None,
    simulation: FakeSimulation | None = None,
) -> Kernel:
    """A kernel with these vehicles, on the edge "e" unless there are other roads.

    Its `vehicle` is a `FakeVehicleTable`; its `network` knows what a net file would say, and no vehicles.
    """
    kernel = cast(Any, fake_kernel({}, signals, simulation))
    kernel.vehicle = FakeVehicleTable(vehicles)
    kernel.network = NetworkKernel(_net(roads or {"e": FakeRoad()}))
    return cast(Kernel, kernel)


def _net(roads: Mapping[str, FakeRoad]) -> Net:
    lanes = {
        f"{edge}_{index}": _lane(roads, edge, index) for edge, road in roads.items() for index in range(road.lanes)
    }
    edges = {
        edge: Edge("", "", tuple(f"{edge}_{index}" for index in range(road.lanes)), _function(edge))
        for edge, road in roads.items()
    }
    return Net(lanes, edges, {}, {}, {})


def _lane(roads: Mapping[str, FakeRoad], edge: str, index: int) -> Lane:
    road = roads[edge]
    following = tuple(f"{after}_{min(index, roads[after].lanes - 1)}" for after in road.next)
    return Lane(edge, index, road.length, road.speed, 3.2, True, (), following, ())


def _function(edge: str) -> str:
    return "internal" if edge.startswith(":") else ""
