"""What car-following controllers look at: the vehicle, and the one ahead of it."""

import math
from typing import NamedTuple

from sumo_gymnasium.kernels.kernel import Kernel


class Ahead(NamedTuple):
    """Own speed, the leader's speed (m/s) and the free metres between them; own speed and inf where nobody is ahead."""

    speed: float
    leader_speed: float
    gap: float


def ahead(kernel: Kernel, vehicle: str) -> Ahead:
    """What `vehicle` has before it now."""
    speed, leader = kernel.vehicle.speed(vehicle), kernel.vehicle.leader(vehicle)
    if leader is None:
        return Ahead(speed, speed, math.inf)
    return Ahead(speed, kernel.vehicle.speed(leader.id), leader.gap)


def positive(**parameters: float) -> None:
    """Check parameters of a controller.

    Raises:
        ValueError: one is not a finite number above 0.
    """
    for name, value in parameters.items():
        if not 0 < value < math.inf:
            raise ValueError(f"{name}={value!r}: expected a finite number above 0, in SI units")
