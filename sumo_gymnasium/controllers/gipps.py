"""Gipps' model: the highest speed from which one can still stop behind the leader."""

import math
from dataclasses import dataclass
from typing import ClassVar

from sumo_gymnasium.controllers.ahead import ahead, positive
from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class Gipps:
    """Towards the speed min(v_free, v_safe), which is to be reached after the reaction time τ.

    v_free = v + 2.5 a τ (1 − v / v0) √(0.025 + v / v0) and, with b and b_l negative, v_safe = b τ + √(b² τ² − b (2 (s −
    s0) − v τ − v_l² / b_l)). P. Gipps, A behavioural car-following model for computer simulation, Transportation
    Research Part B 15 (1981), 105–111. The acceleration is (speed − v) / τ; Flow divides by the simulation step
    instead.

    Attributes:
        desired_speed: v0, m/s.
        acceleration_limit: a, m/s².
        deceleration: b, m/s², below 0.
        leader_deceleration: b_l, what the leader is thought to brake with, m/s², below 0.
        jam_gap: s0, m.
        reaction_time: τ, s.
        action: what the env must be made with.
    """

    action: ClassVar[str] = "any_acceleration"

    desired_speed: float = 30.0
    acceleration_limit: float = 1.5
    deceleration: float = -1.0
    leader_deceleration: float = -1.0
    jam_gap: float = 2.0
    reaction_time: float = 1.0

    def __post_init__(self) -> None:
        positive(
            desired_speed=self.desired_speed,
            acceleration_limit=self.acceleration_limit,
            reaction_time=self.reaction_time,
        )
        if not (self.deceleration < 0 and self.leader_deceleration < 0):
            raise ValueError(
                f"deceleration={self.deceleration!r}, leader_deceleration={self.leader_deceleration!r}: expected both "
                "below 0, in m/s²"
            )

    def free_speed(self, speed: float) -> float:
        """What it would drive with nobody ahead, m/s."""
        part = speed / self.desired_speed
        gain = 2.5 * self.acceleration_limit * self.reaction_time * (1 - part) * math.sqrt(0.025 + max(part, 0.0))
        return speed + gain

    def safe_speed(self, speed: float, leader_speed: float, gap: float) -> float:
        """The highest speed from which it stops in time, m/s; at least 0."""
        b, reaction = self.deceleration, self.reaction_time
        room = 2 * (gap - self.jam_gap) - speed * reaction - leader_speed**2 / self.leader_deceleration
        return max(b * reaction + math.sqrt(max((b * reaction) ** 2 - b * room, 0.0)), 0.0)

    def acceleration(self, speed: float, leader_speed: float, gap: float) -> float:
        """The formula, m/s²; speeds in m/s, gap in m (inf: nobody ahead)."""
        target = min(self.free_speed(speed), self.safe_speed(speed, leader_speed, gap), self.desired_speed)
        return (target - speed) / self.reaction_time

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """The acceleration, m/s²."""
        return self.acceleration(*ahead(kernel, vehicle))
