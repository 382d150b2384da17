"""Chance, as the least that any other controller should beat."""

from dataclasses import dataclass
from typing import ClassVar

from sumo_gymnasium.controllers.choice import legal_phases
from sumo_gymnasium.controllers.controller import PHASES
from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class RandomPhase:
    """Any legal phase, each as likely; the same in every episode of a seed."""

    acts: ClassVar[tuple[str, ...]] = PHASES

    def __call__(self, kernel: Kernel, signal: str) -> int:
        """The phase."""
        return int(kernel.random(self, signal).choice(legal_phases(kernel, signal)))
