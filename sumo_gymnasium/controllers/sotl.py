"""Self-organizing signals: a phase is shown once enough vehicles have waited for it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sumo_gymnasium.controllers.choice import green_lanes, near_counts, positive
from sumo_gymnasium.controllers.controller import PHASES
from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class SelfOrganizing:
    """Sotl-platoon (C. Gershenson, Self-organizing traffic lights, Complex Systems 16 (2005), 29–53).

    For each phase κ adds up the vehicles within `reach` before its red lanes, times the seconds since the last
    decision. Once a phase's κ has reached θ, the present green is past its minimum and no platoon would be cut, that
    phase is shown and its κ is 0 again; of several the one with the highest κ, so that any number of phases can take
    part where the paper has two. A platoon would be cut if a vehicle is within `near` of the stop line of a lane that
    loses its green, unless more than μ are within `reach` of it.

    Attributes:
        threshold: θ, veh·s.
        reach: ρ, m.
        near: ω, m.
        platoon: μ, veh.
    """

    acts: ClassVar[tuple[str, ...]] = PHASES

    threshold: float = 50.0
    reach: float = 80.0
    near: float = 25.0
    platoon: int = 3

    def __post_init__(self) -> None:
        positive("threshold", self.threshold, "veh·s")
        positive("reach", self.reach, "m")
        positive("near", self.near, "m")
        if self.near > self.reach or self.platoon < 0:
            raise ValueError(
                f"near={self.near!r}, reach={self.reach!r}, platoon={self.platoon!r}: expected near ≤ reach, in m, and "
                "a platoon of 0 vehicles or more"
            )

    def __call__(self, kernel: Kernel, signal: str) -> int:
        """The phase."""
        memory, signals = kernel.memory(self, signal), kernel.traffic_light
        if not memory:
            lanes = green_lanes(kernel, signal)
            memory.update(lanes=lanes, kappa=[0.0] * len(lanes), asked=kernel.simulation.time)
        present, legal = signals.phase(signal), signals.legal(signal)
        count = near_counts(kernel, signals.incoming_lanes(signal), self.reach)
        self._wait(memory, present, count, kernel.simulation.time)
        kappa = memory["kappa"]
        others = [phase for phase in range(len(legal)) if legal[phase] and phase != present]
        if not others:
            return present
        wanted = max(others, key=lambda phase: (kappa[phase], -phase))
        if legal[present] and (kappa[wanted] < self.threshold or self._cuts(kernel, memory, present, wanted, count)):
            return present
        kappa[wanted] = 0.0
        return wanted

    def _wait(self, memory: dict[str, Any], present: int, count: Mapping[str, int], now: float) -> None:
        """Add the vehicles at red to κ."""
        green = memory["lanes"][present]
        for phase, lanes in enumerate(memory["lanes"]):
            memory["kappa"][phase] += _total(count, _without(lanes, green)) * (now - memory["asked"])
        memory["kappa"][present] = 0.0
        memory["asked"] = now

    def _cuts(
        self, kernel: Kernel, memory: Mapping[str, Any], present: int, wanted: int, count: Mapping[str, int]
    ) -> bool:
        """Whether a small platoon that is about to pass would meet red."""
        losing = tuple(_without(memory["lanes"][present], memory["lanes"][wanted]))
        return 0 < _total(count, losing) <= self.platoon and any(near_counts(kernel, losing, self.near).values())


def _without(lanes: Sequence[str], others: Sequence[str]) -> list[str]:
    return [lane for lane in lanes if lane not in others]


def _total(count: Mapping[str, int], lanes: Iterable[str]) -> int:
    return sum(count.get(lane, 0) for lane in lanes)
