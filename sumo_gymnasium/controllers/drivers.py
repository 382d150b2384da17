"""The simplest drivers, and noise for others: a constant speed, SUMO's own driver, a hand that is not steady."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from sumo_gymnasium.actions import Action
from sumo_gymnasium.controllers.ahead import positive
from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class ConstantSpeed:
    """Always the same speed.

    Attributes:
        speed: m/s.
        action: what the env must be made with.
    """

    action: ClassVar[str] = "target_speed"

    speed: float = 10.0

    def __post_init__(self) -> None:
        positive(speed=self.speed)

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """The speed, m/s."""
        return self.speed


@dataclass(frozen=True)
class Coast:
    """Neither accelerates nor brakes: always 0 m/s²."""

    action: ClassVar[str] = "any_acceleration"

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """0."""
        return 0.0


@dataclass(frozen=True)
class SumoDriving:
    """SUMO's own driver, with the car-following model of the vehicle's type."""

    action: ClassVar[str] = "sumo_driver"

    def __call__(self, kernel: Kernel, vehicle: str) -> int:
        """The one action that there is."""
        return 0


@dataclass(frozen=True)
class Noisy:
    """Another controller's acceleration, plus √Δt · N(0, σ) with the simulation's step Δt (Flow, Wu et al. 2021).

    To be asked in every simulation step. The noise follows from the episode's seed.

    Attributes:
        controller: one that gives an acceleration.
        sigma: σ, m/s² over √s.
    """

    controller: Callable[[Kernel, str], float]
    sigma: float = 0.2

    def __post_init__(self) -> None:
        positive(sigma=self.sigma)
        if "acceleration" not in str(self.action):
            raise ValueError(
                f"{self.controller!r} gives {self.action!r}, not an acceleration; noise is added to accelerations only"
            )

    @property
    def action(self) -> str | Action:
        """What the env must be made with."""
        found: str | Action = getattr(self.controller, "action", "any_acceleration")
        return found

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """The acceleration, m/s²."""
        noise = kernel.random(self, vehicle).normal(0.0, self.sigma)
        return self.controller(kernel, vehicle) + math.sqrt(kernel.simulation.step_length) * float(noise)
