"""Optimal velocity models: drivers seek a speed that depends on the gap alone."""

import math
from dataclasses import dataclass
from typing import ClassVar

from sumo_gymnasium.controllers.ahead import ahead, positive
from sumo_gymnasium.kernels.kernel import Kernel

TOUCHING = 1e-3  # m; the least gap that is divided by


@dataclass(frozen=True)
class OptimalVelocity:
    """α (V(s) − v) + β (v_l − v), V = v_max / 2 · (1 − cos(π (s − s_stop) / (s_go − s_stop))) between the two gaps.

    M. Bando et al., Dynamical model of traffic congestion and numerical simulation, Physical Review E 51 (1995),
    1035–1042, for the idea; V, the term of the leader's speed and the numbers are Flow's (Wu et al. 2021). V is 0 below
    s_stop, and v_max above s_go.

    Attributes:
        sensitivity: α, 1/s.
        leader_sensitivity: β, 1/s.
        stop_gap: m.
        go_gap: m.
        max_speed: v_max, m/s.
        action: what the env must be made with.
    """

    action: ClassVar[str] = "any_acceleration"

    sensitivity: float = 1.0
    leader_sensitivity: float = 1.0
    stop_gap: float = 2.0
    go_gap: float = 15.0
    max_speed: float = 30.0

    def __post_init__(self) -> None:
        positive(sensitivity=self.sensitivity, max_speed=self.max_speed)
        if not 0 <= self.stop_gap < self.go_gap:
            raise ValueError(f"stop_gap={self.stop_gap!r}, go_gap={self.go_gap!r}: expected 0 <= stop_gap < go_gap, m")

    def optimal_speed(self, gap: float) -> float:
        """V, m/s."""
        part = (gap - self.stop_gap) / (self.go_gap - self.stop_gap)
        return self.max_speed / 2 * (1 - math.cos(math.pi * min(max(part, 0.0), 1.0)))

    def acceleration(self, speed: float, leader_speed: float, gap: float) -> float:
        """The formula, m/s²; speeds in m/s, gap in m (inf: nobody ahead)."""
        seeking = self.sensitivity * (self.optimal_speed(gap) - speed)
        return seeking + self.leader_sensitivity * (leader_speed - speed)

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """The acceleration, m/s²."""
        return self.acceleration(*ahead(kernel, vehicle))


@dataclass(frozen=True)
class LinearOptimalVelocity:
    """(V(s) − v) / τ, with V = slope · (s − s_stop) from 0 to v_max: an optimal velocity model with straight lines.

    The numbers are Flow's (Wu et al. 2021), after A. Nakayama et al., Metastability in the formation of an experimental
    traffic jam, New Journal of Physics 11 (2009), 083025.

    Attributes:
        slope: 1/s.
        stop_gap: m.
        adaptation_time: τ, s.
        max_speed: m/s.
        action: what the env must be made with.
    """

    action: ClassVar[str] = "any_acceleration"

    slope: float = 1.689
    stop_gap: float = 5.0
    adaptation_time: float = 0.65
    max_speed: float = 30.0

    def __post_init__(self) -> None:
        positive(slope=self.slope, adaptation_time=self.adaptation_time, max_speed=self.max_speed)

    def optimal_speed(self, gap: float) -> float:
        """V, m/s."""
        return min(max(self.slope * (gap - self.stop_gap), 0.0), self.max_speed)

    def acceleration(self, speed: float, leader_speed: float, gap: float) -> float:
        """The formula, m/s²; speeds in m/s (the leader's does not count), gap in m (inf: nobody ahead)."""
        return (self.optimal_speed(gap) - speed) / self.adaptation_time

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """The acceleration, m/s²."""
        return self.acceleration(*ahead(kernel, vehicle))


@dataclass(frozen=True)
class BandoFollowTheLeader:
    """α (V(s) − v) + β (v_l − v) / s², V = v_max (tanh(s / d − 2) + tanh 2) / (1 + tanh 2), which goes from 0 to v_max.

    M. Bando et al., Physical Review E 51 (1995), for V; D. Gazis, R. Herman, R. Rothery, Nonlinear follow-the-leader
    models of traffic flow, Operations Research 9 (1961), 545–567, for the second term; the numbers are Flow's.

    Attributes:
        sensitivity: α, 1/s.
        leader_sensitivity: β, m²/s.
        scale: d, m.
        max_speed: v_max, m/s.
        action: what the env must be made with.
    """

    action: ClassVar[str] = "any_acceleration"

    sensitivity: float = 0.5
    leader_sensitivity: float = 20.0
    scale: float = 2.0
    max_speed: float = 32.0

    def __post_init__(self) -> None:
        positive(sensitivity=self.sensitivity, scale=self.scale, max_speed=self.max_speed)

    def optimal_speed(self, gap: float) -> float:
        """V, m/s."""
        return self.max_speed * (math.tanh(gap / self.scale - 2) + math.tanh(2)) / (1 + math.tanh(2))

    def acceleration(self, speed: float, leader_speed: float, gap: float) -> float:
        """The formula, m/s²; speeds in m/s, gap in m (inf: nobody ahead)."""
        seeking = self.sensitivity * (self.optimal_speed(gap) - speed)
        return seeking + self.leader_sensitivity * (leader_speed - speed) / max(gap, TOUCHING) ** 2

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """The acceleration, m/s²."""
        return self.acceleration(*ahead(kernel, vehicle))
