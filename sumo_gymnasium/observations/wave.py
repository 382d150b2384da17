"""What Flow's wave attenuation sees: own speed, and the vehicle ahead."""

from dataclasses import dataclass

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.metrics.around import still_there
from sumo_gymnasium.observations.scale import check_scale


@dataclass(frozen=True)
class WaveAttenuation:
    """v / 15, (v_l − v) / 15, spacing / 270: 3 values; the partially observed ring of Flow (Wu et al. 2021).

    The spacing is front to front. With nobody ahead the second value is 0, and the third 1, which is its most.

    Attributes:
        speed: what speeds are divided by, m/s.
        range: what the spacing is divided by, m: the longest ring.
    """

    speed: float = 15.0
    range: float = 270.0

    def __post_init__(self) -> None:
        check_scale(self.range, self.speed)

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """The spacing is 0 to 1."""
        inf = np.inf
        return spaces.Box(np.array([0, -inf, 0], np.float32), np.array([inf, inf, 1], np.float32))

    def __call__(self, kernel: Kernel, vehicle: str) -> NDArray[np.float32]:
        """The values now."""
        vehicles = kernel.vehicle
        own, leader = max(vehicles.speed(vehicle), 0.0), still_there(kernel, vehicles.leader(vehicle))
        if leader is None:
            return np.array([own / self.speed, 0.0, 1.0], np.float32)
        spacing = max(leader.gap + vehicles.length(leader.id), 0.0)
        relative = vehicles.speed(leader.id) - own
        return np.array([own / self.speed, relative / self.speed, min(spacing / self.range, 1.0)], np.float32)
