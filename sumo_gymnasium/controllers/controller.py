"""What a controller is, and what an env must be made with for it."""

from collections.abc import Callable
from typing import Any

from sumo_gymnasium.actions import Action
from sumo_gymnasium.kernels.kernel import Kernel

Controller = Callable[[Kernel, str], Any]
PHASES = ("phase", "phase_when_legal")  # the actions of envs in which a chosen phase means something


def action_of(controller: Controller) -> str | Action:
    """The `action=` of an env that `controller` acts in: its attribute `action`, or "phase" without one."""
    found: str | Action = getattr(controller, "action", "phase")
    return found
