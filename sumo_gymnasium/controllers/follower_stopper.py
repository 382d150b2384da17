"""FollowerStopper: one vehicle that dissolves stop-and-go waves."""

import math
from dataclasses import dataclass
from typing import ClassVar

from sumo_gymnasium.controllers.ahead import ahead, positive
from sumo_gymnasium.kernels.kernel import Kernel

GAPS = (4.5, 5.25, 6.0)  # Δx⁰, m
DECELERATIONS = (1.5, 1.0, 0.5)  # d, m/s²


@dataclass(frozen=True)
class FollowerStopper:
    """Drives at U, and slower only where the gap asks for it: the commanded speed goes from 0 to U over three gaps.

    With Δv = v_l − v, v = min(max(v_l, 0), U) and Δx_k = Δx⁰_k + min(Δv, 0)² / (2 d_k): 0 up to Δx_1, from 0 to v up to
    Δx_2, from v to U up to Δx_3, else U. R. Stern et al., Dissipation of stop-and-go waves via control of autonomous
    vehicles: field experiments, Transportation Research Part C 89 (2018), 205–221. In the third band Flow
    wrote U − (own speed); the paper and the authors' later code have U − v.

    Attributes:
        desired_speed: U, m/s.
        action: what the env must be made with.
    """

    action: ClassVar[str] = "target_speed"

    desired_speed: float = 15.0

    def __post_init__(self) -> None:
        positive(desired_speed=self.desired_speed)

    def speed(self, speed: float, leader_speed: float, gap: float) -> float:
        """The commanded speed; speeds in m/s, gap in m (inf: nobody ahead)."""
        if math.isinf(gap):
            return self.desired_speed
        closing = min(leader_speed - speed, 0.0)
        first, second, third = (
            least + closing**2 / (2 * braking) for least, braking in zip(GAPS, DECELERATIONS, strict=True)
        )
        follow = min(max(leader_speed, 0.0), self.desired_speed)
        if gap <= first:
            return 0.0
        if gap <= second:
            return follow * (gap - first) / (second - first)
        if gap <= third:
            return follow + (self.desired_speed - follow) * (gap - second) / (third - second)
        return self.desired_speed

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """The commanded speed, m/s."""
        return self.speed(*ahead(kernel, vehicle))
