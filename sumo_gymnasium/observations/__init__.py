"""What an agent sees: a space, and an array inside it."""

from typing import Any, Protocol

from gymnasium import spaces

from sumo_gymnasium.kernels.kernel import Kernel


class Observation(Protocol):
    """Turns the kernel's readings into what one agent sees."""

    def space(self, kernel: Kernel, agent: str, /) -> spaces.Space[Any]:
        """From the files; SUMO need not run."""

    def __call__(self, kernel: Kernel, agent: str, /) -> Any:
        """A fresh array (or dict of arrays), always inside the space, dtype included."""
