"""A kernel without SUMO: strategies can be tested on hand-made numbers by calling them."""

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np

from sumo_gymnasium.config import SignalTiming, SumoConfig
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.network import Occupied
from sumo_gymnasium.kernels.signal_files import Movement
from sumo_gymnasium.scenarios.net import Link
from sumo_gymnasium.signals.program import Program


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
        positions: of the vehicles, from the lane's begin, m; () for evenly spread, the first at its end.
        speeds: of the vehicles, m/s; () for the mean speed.
        time_losses: of the vehicles, s; () for none.
        co2: of all vehicles, g/s.
    """

    length: float = 100.0
    speed: float = 10.0
    waiting: tuple[float, ...] = ()
    queue: int = 0
    vehicle_length: float = 5.0
    mean_speed: float = 10.0
    edge: str = ""
    positions: tuple[float, ...] = ()
    speeds: tuple[float, ...] = ()
    time_losses: tuple[float, ...] = ()
    co2: float = 0.0


@dataclass(frozen=True)
class FakeSignal:
    """What a signal is, and what it shows: see the reads of `TrafficLightKernel`."""

    phases: tuple[str, ...] = ("Gr", "rG")
    phase: int = 0
    green_time: float = 0.0
    legal: tuple[bool, ...] = (True, True)
    incoming_lanes: tuple[str, ...] = ()
    outgoing_lanes: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    program: Program | None = None
    state: str = ""
    movements: tuple[Movement, ...] = ()
    neighbours: tuple[str, ...] = ()


class FakeNetwork:
    """The reads of `NetworkKernel` that metrics and observations need."""

    def __init__(self, lanes: Mapping[str, FakeLane], signals: Mapping[str, FakeSignal]) -> None:
        self.lanes = lanes
        self._signals = signals

    def length(self, lane: str) -> float:
        """m."""
        return self.lanes[lane].length

    def speed_limit(self, lane: str) -> float:
        """m/s."""
        return self.lanes[lane].speed

    def neighbours(self, signal: str) -> tuple[str, ...]:
        """The signals next to it."""
        return self._signals[signal].neighbours

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

    def waiting_time(self, lane: str) -> float:
        """Summed, s."""
        return sum(self.lanes[lane].waiting)

    def carbon_dioxide(self, lane: str) -> float:
        """g/s."""
        return self.lanes[lane].co2

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

    def speed(self, vehicle: str) -> float:
        """Its own or its lane's mean, m/s."""
        lane, place = self._place(vehicle)
        return lane.speeds[place] if lane.speeds else lane.mean_speed

    def waiting_time(self, vehicle: str) -> float:
        """s."""
        lane, place = self._place(vehicle)
        return lane.waiting[place]

    def time_loss(self, vehicle: str) -> float:
        """s."""
        lane, place = self._place(vehicle)
        return lane.time_losses[place] if lane.time_losses else 0.0

    def length(self, vehicle: str) -> float:
        """m."""
        return self._place(vehicle)[0].vehicle_length

    def _place(self, vehicle: str) -> tuple[FakeLane, int]:
        lane, _, number = vehicle.rpartition(".")
        return self._lanes[lane], int(number)

    def lane_position(self, vehicle: str) -> float:
        """From the lane's begin, m."""
        lane, _, number = vehicle.rpartition(".")
        found, place = self._lanes[lane], int(number)
        return found.positions[place] if found.positions else found.length * (place + 1) / len(found.waiting)

    def waiting_time_on_edge(self, vehicles: Iterable[str], edge: str) -> float:
        """Summed, s."""
        parts = (vehicle.rpartition(".") for vehicle in vehicles)
        return sum(self._lanes[lane].waiting[int(number)] for lane, _, number in parts)


@dataclass
class FakeTrafficLight:
    """The reads of `TrafficLightKernel`; `requested` and `runs` hold what was asked for, in order."""

    signals: Mapping[str, FakeSignal]
    timing: SignalTiming
    requested: list[tuple[str, int]] = field(default_factory=list)
    runs: list[tuple[str, str]] = field(default_factory=list)

    @property
    def ids(self) -> tuple[str, ...]:
        """The signals."""
        return tuple(self.signals)

    def timing_of(self, signal: str) -> SignalTiming:
        """The same for all."""
        return self.timing

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

    def links(self, signal: str) -> tuple[Link, ...]:
        """Across the signal."""
        return self.signals[signal].links

    def program(self, signal: str) -> Program:
        """Its own, or one with its phases."""
        found = self.signals[signal]
        return found.program or Program(signal, "0", "static", found.phases, (10.0,) * len(found.phases))

    def state(self, signal: str) -> str:
        """Its own, or its phase's."""
        found = self.signals[signal]
        return found.state or found.phases[found.phase]

    def movements(self, signal: str) -> tuple[Movement, ...]:
        """From edge to edge."""
        return self.signals[signal].movements

    def run(self, signal: str, program: Program) -> None:
        """Note it."""
        self.runs.append((signal, program.program_id))

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
        self.config = SumoConfig()
        self.simulation = simulation
        self.network = FakeNetwork(lanes, signals)
        self.vehicle = FakeVehicles(lanes)
        self.traffic_light = FakeTrafficLight(signals, timing or SignalTiming())
        self._memory: dict[tuple[str, str], dict[str, Any]] = {}

    def memory(self, strategy: object, agent: str) -> dict[str, Any]:
        """What was kept, as in `Kernel.memory`."""
        return self._memory.setdefault((repr(strategy), agent), {})

    def random(self, strategy: object, agent: str) -> np.random.Generator:
        """The same for each step and agent."""
        return np.random.default_rng([self.simulation.step, zlib.crc32(agent.encode())])
