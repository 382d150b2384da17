"""What detectors on the last metres before a stop line would see, in place of everything that SUMO knows."""

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from gymnasium import spaces

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.network import NetworkKernel, Occupied
from sumo_gymnasium.kernels.vehicle import VehicleKernel
from sumo_gymnasium.observations.observation import Observation, observation_of

HALTING = 0.1  # m/s; slower counts as queued, as in SUMO


class Fault(NamedTuple):
    """How good detectors are; see `Detectors`."""

    range: float
    noise: float
    missed: float
    drop_out: float


@dataclass(frozen=True)
class Detectors:
    """An observation that sees only what a detector at the end of each lane sees; its space stays the same.

    All its readings of `kernel.network` and `kernel.vehicle.speed` are what the detectors say (RESCO: 50 and 200 m).
    Chance is seeded, and the same for all that read a lane in the same simulation step.

    Attributes:
        observation: which, or its name.
        range: vehicles whose front is farther from the end of their lane are not seen, m.
        noise: standard deviation of each measured speed, as a part of it; what stands is seen to stand.
        missed: chance that a vehicle in range is not noticed, in each step.
        drop_out: chance that the detector of a lane sees nothing, in each step.
    """

    observation: str | Observation
    range: float = 50.0
    noise: float = 0.0
    missed: float = 0.0
    drop_out: float = 0.0
    one: Observation = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.range > 0:
            raise ValueError(f"range={self.range!r}: expected metres above 0")
        if not 0 <= self.noise < math.inf:
            raise ValueError(f"noise={self.noise!r}: expected a number of at least 0, such as 0.1 for a tenth")
        for name in ("missed", "drop_out"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name}={getattr(self, name)!r}: expected a chance from 0 to 1")
        object.__setattr__(self, "one", observation_of(self.observation))

    @property
    def fault(self) -> Fault:
        """All but the observation."""
        return Fault(self.range, self.noise, self.missed, self.drop_out)

    def space(self, kernel: Kernel, agent: str) -> spaces.Space[Any]:
        """As without detectors."""
        return self.one.space(kernel, agent)

    def __call__(self, kernel: Kernel, agent: str) -> Any:
        """The values now."""
        return self.one(cast(Kernel, DetectedKernel(kernel, self.fault)), agent)


class DetectedKernel:
    """A kernel whose lanes and speeds are what detectors say; all else is the kernel's own."""

    def __init__(self, kernel: Kernel, fault: Fault) -> None:
        self._kernel, self._fault = kernel, fault
        self.network = DetectedNetwork(kernel, fault)
        self.vehicle = DetectedVehicles(kernel.vehicle, self.network.speeds)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)

    def memory(self, strategy: object, agent: str) -> dict[str, Any]:
        """Apart from what the same strategy remembers without detectors."""
        return self._kernel.memory((self._fault, strategy), agent)


class DetectedNetwork:
    """The reads of `NetworkKernel`, made of the vehicles that are noticed.

    Attributes:
        speeds: what was measured of each vehicle noticed so far, m/s.
    """

    def __init__(self, kernel: Kernel, fault: Fault) -> None:
        self._kernel, self._fault = kernel, fault
        self._network: NetworkKernel = kernel.network
        self._noticed: dict[str, tuple[str, ...]] = {}
        self.speeds: dict[str, float] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._network, name)

    def occupied(self, lanes: tuple[str, ...]) -> list[Occupied]:
        """Those of `lanes` on which a vehicle is noticed."""
        rows = (row._replace(vehicles=self._notice(row.lane, row.vehicles)) for row in self._network.occupied(lanes))
        return [row for row in rows if row.vehicles]

    def vehicles(self, lane: str) -> tuple[str, ...]:
        """In driving order, the first last."""
        return self._notice(lane, self._network.vehicles(lane))

    def vehicle_count(self, lane: str) -> int:
        """Vehicles noticed on `lane`."""
        return len(self.vehicles(lane))

    def queue_length(self, lane: str) -> int:
        """Vehicles measured to be slower than 0.1 m/s."""
        return sum(self.speeds[vehicle] < HALTING for vehicle in self.vehicles(lane))

    def waiting_time(self, lane: str) -> float:
        """Of the vehicles noticed, added up, s."""
        return sum(map(self._kernel.vehicle.waiting_time, self.vehicles(lane)), 0.0)

    def vehicle_length(self, lane: str) -> float:
        """Mean length of the vehicles noticed, m; 0 without."""
        lengths = [self._kernel.vehicle.length(vehicle) for vehicle in self.vehicles(lane)]
        return sum(lengths) / len(lengths) if lengths else 0.0

    def mean_speed(self, lane: str) -> float | None:
        """Mean of the measured speeds, m/s."""
        speeds = [self.speeds[vehicle] for vehicle in self.vehicles(lane)]
        return sum(speeds) / len(speeds) if speeds else None

    def occupancy(self, lane: str) -> float:
        """The part of `lane` that is covered by vehicles noticed, 0 to 1."""
        covered = self.vehicle_length(lane) * self.vehicle_count(lane)
        return min(covered / self._network.length(lane), 1.0)

    def _notice(self, lane: str, vehicles: tuple[str, ...]) -> tuple[str, ...]:
        found = self._noticed.get(lane)
        if found is None:
            found = self._noticed[lane] = tuple(self._measured(lane, vehicles))
        return found

    def _measured(self, lane: str, vehicles: tuple[str, ...]) -> list[str]:
        """The vehicles that are noticed; their measured speeds go to `speeds`."""
        vehicle, fault = self._kernel.vehicle, self._fault
        least = self._network.length(lane) - fault.range
        near = [name for name in vehicles if vehicle.lane_position(name) >= least]
        chance = self._kernel.random(fault, lane)
        if chance.random() < fault.drop_out:
            return []
        factors = 1 + fault.noise * chance.standard_normal(len(near))
        missed = chance.random(len(near)) < fault.missed
        self.speeds.update(
            (name, max(0.0, vehicle.speed(name) * factor)) for name, factor in zip(near, factors, strict=True)
        )
        return [name for name, lost in zip(near, missed, strict=True) if not lost]


class DetectedVehicles:
    """The reads of `VehicleKernel`, with measured speeds."""

    def __init__(self, vehicles: VehicleKernel, speeds: dict[str, float]) -> None:
        self._vehicles, self._speeds = vehicles, speeds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._vehicles, name)

    def speed(self, vehicle: str) -> float:
        """As measured, m/s; of a vehicle that no detector noticed, SUMO's."""
        found = self._speeds.get(vehicle)
        return self._vehicles.speed(vehicle) if found is None else found
