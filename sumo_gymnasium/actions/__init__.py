"""What an agent may do: a space, and how an action reaches the kernel."""

from typing import Any, Protocol

from gymnasium import spaces

from sumo_gymnasium.kernels.kernel import Kernel


class Action(Protocol):
    """Turns an agent's action into commands."""

    def space(self, kernel: Kernel, agent: str, /) -> spaces.Space[Any]:
        """From the files; SUMO need not run."""

    def apply(self, kernel: Kernel, agent: str, action: Any, /) -> None:
        """Command it."""

    def info(self, kernel: Kernel, agent: str, /) -> dict[str, Any]:
        """What became of the last action, and, as "action_mask", which actions would be carried out at once now."""
