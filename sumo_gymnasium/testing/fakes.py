"""A kernel without SUMO: strategies can be tested on hand-made numbers by calling them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from sumo_gymnasium.config import SignalTiming
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.network import Occupied


@dataclass(frozen=True)
class FakeLane:
    """What a lane is, and what is on it.

    Attributes:
        length: m.
        speed: limit, m/s.
        waiting: s, one item a vehicle on the lane.
        queue: how many of them are slower than 0.1 m/s.
        vehicle_length: their mean length, m.
        mean_speed: m/s.
        edge: the lane's edge.
    """

    length: float = 100.0
    speed: float = 10.0
    waiting: tuple[float, ...] = ()
    queue: int = 0
    vehicle_length: float = 5.0
    mean_speed: float = 10.0
    edge: str = ""


@dataclass(frozen=True)
class FakeSignal:
    """What a signal is, and what it shows: see the reads of `TrafficLightKernel`."""

    phases: tuple[str, ...] = ("Gr", "rG")
    phase: int = 0
    green_time: float = 0.0
    legal: tuple[bool, ...] = (True, True)
    incoming_lanes: tuple[str, ...] = ()
    outgoing_lanes: tuple[str, ...] = ()


class FakeNetwork:
    """The reads of `NetworkKernel` that metrics and observations need."""

    def __init__(self, lanes: Mapping[str, FakeLane]) -> None:
        self.lanes = lanes

    def length(self, lane: str) -> float:
        """m."""
        return self.lanes[lane].length

    def speed_limit(self, lane: str) -> float:
        """m/s."""
        return self.lanes[lane].speed

    def occupied(self, lanes: tuple[str, ...]) -> list[Occupied]:
        """Those with vehicles."""
        rows = (Occupied(place, lane, self.vehicles(lane)) for place, lane in enumerate(lanes))
        return [row for row in rows if row.vehicles]

    def vehicles(self, lane: str) -> tuple[str, ...]:
        """Made-up ids: the lane's, and a number."""
        return tuple(f"{lane}.{number}" for number in range(len(self.lanes[lane].waiting)))

    def vehicle_count(self, lane: str) -> int:
        """Vehicles on the lane."""
        return len(self.lanes[lane].waiting)

    def queue_length(self, lane: str) -> int:
        """Vehicles slower than 0.1 m/s."""
        return self.lanes[lane].queue

    def vehicle_length(self, lane: str) -> float:
        """Mean, m; 0 without vehicles."""
        return self.lanes[lane].vehicle_length if self.vehicle_count(lane) else 0.0

    def mean_speed(self, lane: str) -> float | None:
        """m/s."""
        return self.lanes[lane].mean_speed if self.vehicle_count(lane) else None


class FakeVehicles:
    """The reads of `VehicleKernel` that metrics need."""

    def __init__(self, lanes: Mapping[str, FakeLane]) -> None:
        self._lanes = lanes

    def waiting_time_on_edge(self, vehicles: Iterable[str], edge: str) -> float:
        """Summed, s."""
        parts = (vehicle.rpartition(".") for vehicle in vehicles)
        return sum(self._lanes[lane].waiting[int(number)] for lane, _, number in parts)


@dataclass
class FakeTrafficLight:
    """The reads of `TrafficLightKernel`; `requested` holds what was asked for, in order."""

    signals: Mapping[str, FakeSignal]
    timing: SignalTiming
    requested: list[tuple[str, int]] = field(default_factory=list)

    @property
    def ids(self) -> tuple[str, ...]:
        """The signals."""
        return tuple(self.signals)

    def static(self, signal: str) -> FakeSignal:
        """What the files would say."""
        return self.signals[signal]

    def phases(self, signal: str) -> tuple[str, ...]:
        """The states to choose from."""
        return self.signals[signal].phases

    def phase(self, signal: str) -> int:
        """The phase that shows."""
        return self.signals[signal].phase

    def green_time(self, signal: str) -> float:
        """s."""
        return self.signals[signal].green_time

    def legal(self, signal: str) -> tuple[bool, ...]:
        """For each phase."""
        return self.signals[signal].legal

    def incoming_lanes(self, signal: str) -> tuple[str, ...]:
        """Towards the signal."""
        return self.signals[signal].incoming_lanes

    def outgoing_lanes(self, signal: str) -> tuple[str, ...]:
        """Away from it."""
        return self.signals[signal].outgoing_lanes

    def request(self, signal: str, phase: int) -> None:
        """Note it."""
        self.requested.append((signal, phase))


class FakeSimulation(NamedTuple):
    """The reads of `SimulationKernel`."""

    time: float = 0.0
    step: int = 0
    step_length: float = 1.0
    running: bool = True
    over: bool = False
    departed: Sequence[str] = ()
    arrived: Sequence[str] = ()


def fake_kernel(
    lanes: Mapping[str, FakeLane] | None = None,
    signals: Mapping[str, FakeSignal] | None = None,
    simulation: FakeSimulation | None = None,
    timing: SignalTiming | None = None,
) -> Kernel:
    """A kernel that reads what it was given."""
    return cast(Kernel, _FakeKernel(lanes or {}, signals or {}, simulation or FakeSimulation(), timing))


class _FakeKernel:
    def __init__(
        self,
        lanes: Mapping[str, FakeLane],
        signals: Mapping[str, FakeSignal],
        simulation: FakeSimulation,
        timing: SignalTiming | None,
    ) -> None:
        self.simulation = simulation
        self.network = FakeNetwork(lanes)
        self.vehicle = FakeVehicles(lanes)
        self.traffic_light = FakeTrafficLight(signals, timing or SignalTiming())
