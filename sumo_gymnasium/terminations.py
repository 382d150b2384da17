"""What ends an agent before the scenario's end. Signals end with the scenario, which is truncation."""

from typing import Protocol

from sumo_gymnasium.kernels.kernel import Kernel


class Termination(Protocol):
    """Whether an agent's life is over."""

    def __call__(self, kernel: Kernel, agent: str, /) -> bool:
        """Asked after each decision."""
