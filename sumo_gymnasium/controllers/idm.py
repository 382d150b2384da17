"""The Intelligent Driver Model."""

import math
from dataclasses import dataclass
from typing import ClassVar

from sumo_gymnasium.controllers.ahead import ahead, positive
from sumo_gymnasium.kernels.kernel import Kernel

TOUCHING = 1e-3  # m; the least gap that is divided by


@dataclass(frozen=True)
class Idm:
    """Intelligent Driver Model: a (1 − (v / v0)^δ − (s* / s)²), s* = s0 + max(0, v T + v (v − v_l) / (2 √(a b))).

    M. Treiber, A. Hennecke, D. Helbing, Congested traffic states in empirical observations and microscopic simulations,
    Physical Review E 62 (2000), 1805–1824; the maximum keeps a faster leader from shortening s*
    below s0, as in later editions.

    Attributes:
        desired_speed: v0, m/s.
        time_gap: T, s.
        acceleration_limit: a, m/s².
        comfortable_deceleration: b, m/s².
        exponent: δ.
        jam_gap: s0, m.
        action: what the env must be made with.
    """

    action: ClassVar[str] = "any_acceleration"

    desired_speed: float = 30.0
    time_gap: float = 1.0
    acceleration_limit: float = 1.0
    comfortable_deceleration: float = 1.5
    exponent: float = 4.0
    jam_gap: float = 2.0

    def __post_init__(self) -> None:
        positive(
            desired_speed=self.desired_speed,
            acceleration_limit=self.acceleration_limit,
            comfortable_deceleration=self.comfortable_deceleration,
            exponent=self.exponent,
        )
        if self.time_gap < 0 or self.jam_gap < 0:
            raise ValueError(f"time_gap={self.time_gap!r} s, jam_gap={self.jam_gap!r} m: expected 0 or more")

    def acceleration(self, speed: float, leader_speed: float, gap: float) -> float:
        """The formula, m/s²; speeds in m/s, gap in m (inf: nobody ahead)."""
        braking = 2 * math.sqrt(self.acceleration_limit * self.comfortable_deceleration)
        wanted = self.jam_gap + max(0.0, speed * self.time_gap + speed * (speed - leader_speed) / braking)
        free = 1 - math.pow(max(speed, 0.0) / self.desired_speed, self.exponent)
        return self.acceleration_limit * (free - (wanted / max(gap, TOUCHING)) ** 2)

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """The acceleration, m/s²."""
        return self.acceleration(*ahead(kernel, vehicle))
