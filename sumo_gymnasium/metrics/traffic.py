"""Metrics over all vehicles on the road: the same for every agent, and so a common cause."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sumo_gymnasium.kernels.kernel import Kernel

HALTING = 0.1  # m/s; slower is standing, as SUMO counts it


def desired_velocity(speeds: Sequence[float], target: float) -> float:
    """How near the speeds are to `target` (both m/s), 0 to 1: max(‖v*‖ − ‖v − v*‖, 0) / ‖v*‖ (Flow, Wu et al. 2021).

    ‖·‖ is the Euclidean norm over vehicles. 1 if all drive at the target, 0 if all stand, or without vehicles.
    """
    if not speeds:
        return 0.0
    most = target * math.sqrt(len(speeds))
    return max(most - math.dist(speeds, [target] * len(speeds)), 0.0) / most


@dataclass(frozen=True)
class DesiredVelocity:
    """See `desired_velocity`, over all vehicles on the road; 0 in a decision in which some crashed.

    Attributes:
        target: m/s.
    """

    target: float = 10.0

    def __post_init__(self) -> None:
        if not 0 < self.target < math.inf:
            raise ValueError(f"target={self.target!r}: expected a speed above 0, in m/s")

    @property
    def __name__(self) -> str:
        """What `info["metrics"]` calls it."""
        return "desired_velocity"

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """0 to 1."""
        vehicles = kernel.vehicle
        if vehicles.collided or "collided" in vehicles.gone.values():
            return 0.0
        return desired_velocity(_speeds(kernel), self.target)


def mean_speed(kernel: Kernel, vehicle: str) -> float:
    """Of all vehicles on the road, m/s; 0 without any."""
    speeds = _speeds(kernel)
    return sum(speeds) / len(speeds) if speeds else 0.0


def min_delay(kernel: Kernel, vehicle: str) -> float:
    """How little is lost against the highest speed limit of the network, 0 to 1; 0 without vehicles.

    max((N − Σ (v_top − v) / v_top) / N, 0) over N vehicles (Flow, Wu et al. 2021).
    """
    speeds = _speeds(kernel)
    top = top_speed(kernel)
    lost = sum((top - speed) / top for speed in speeds)
    return max((len(speeds) - lost) / len(speeds), 0.0) if speeds else 0.0


def standing_vehicles(kernel: Kernel, vehicle: str) -> float:
    """Vehicles on the road that are slower than 0.1 m/s."""
    return float(sum(speed < HALTING for speed in _speeds(kernel)))


def top_speed(kernel: Kernel) -> float:
    """The highest speed limit of the network's lanes, m/s."""
    memory = kernel.memory(top_speed, "")
    if not memory:
        memory["speed"] = max(map(kernel.network.speed_limit, kernel.network.lanes))
    found: float = memory["speed"]
    return found


def _speeds(kernel: Kernel) -> list[float]:
    return [kernel.vehicle.speed(each) for each in kernel.vehicle.ids]
