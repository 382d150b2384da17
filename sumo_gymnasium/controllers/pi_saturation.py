"""PI with saturation: one vehicle that dissolves stop-and-go waves without being told a speed."""

import math
from collections import deque
from dataclasses import dataclass
from typing import ClassVar

from sumo_gymnasium.controllers.ahead import Ahead, ahead, positive
from sumo_gymnasium.kernels.kernel import Kernel

CATCH_UP = 1.0  # m/s, the most above U that it drives to close a gap
NEAR, FAR = 7.0, 30.0  # m, gaps between which catching up grows from 0 to its most
SAFE = 4.0  # m, and at least 2 s of Δv
BLEND = 2.0  # γ, m, over which it goes from the leader's speed to its own target


@dataclass(frozen=True)
class PiSaturation:
    """Drives at its own mean speed of the last 38 s, which is what the wave leaves on average.

    With U that mean, Δv = v_l − v: v_target = U + clip((s − 7) / 23, 0, 1), α = clip((s − max(2 Δv, 4)) / 2, 0, 1),
    β = 1 − α / 2, and commanded speed ← β (α v_target + (1 − α) v_l) + (1 − β) (the one before). R. Stern et al.,
    Dissipation of stop-and-go waves via control of autonomous vehicles: field experiments, Transportation Research Part
    C 89 (2018), 205–221. The one before is at first its own speed. To be asked at short, equal times
    (the paper's car: some 10 times a second), since neither filter knows of time.

    Attributes:
        memory: over which it takes its mean speed, s.
        action: what the env must be made with.
    """

    action: ClassVar[str] = "target_speed"

    memory: float = 38.0

    def __post_init__(self) -> None:
        positive(memory=self.memory)

    def speed(self, front: Ahead, mean_speed: float, commanded: float) -> float:
        """The commanded speed, m/s, after `commanded`, the one before; `mean_speed` is U, m/s."""
        if math.isinf(front.gap):
            return (mean_speed + CATCH_UP + commanded) / 2  # α = 1
        target = mean_speed + CATCH_UP * _clip((front.gap - NEAR) / (FAR - NEAR))
        alpha = _clip((front.gap - max(2 * (front.leader_speed - front.speed), SAFE)) / BLEND)
        beta = 1 - alpha / 2
        return beta * (alpha * target + (1 - alpha) * front.leader_speed) + (1 - beta) * commanded

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """The commanded speed, m/s; at least 0."""
        memory, now, front = kernel.memory(self, vehicle), kernel.simulation.time, ahead(kernel, vehicle)
        known: deque[tuple[float, float]] = memory.setdefault("speeds", deque())
        if not known or known[-1][0] < now:
            known.append((now, front.speed))
        while known[0][0] <= now - self.memory:
            known.popleft()
        mean_speed = sum(speed for _, speed in known) / len(known)
        commanded = max(self.speed(front, mean_speed, memory.get("commanded", front.speed)), 0.0)
        memory["commanded"] = commanded
        return commanded


def _clip(value: float) -> float:
    return min(max(value, 0.0), 1.0)
