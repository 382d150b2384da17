"""Controllers that SUMO runs itself: they need an action of their own, and have nothing to decide."""

from dataclasses import dataclass, field

from sumo_gymnasium.actions.programs import RunProgram, Type
from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class SumoProgram:
    """SUMO's actuated or delay-based version of the signal's program; see `actions.programs.RunProgram`.

    Attributes:
        type: "actuated" or "delay_based".
        action: what the env must be made with.
    """

    type: Type
    action: RunProgram = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "action", RunProgram(self.type))

    def __call__(self, kernel: Kernel, signal: str) -> int:
        """The one action that there is."""
        return 0
