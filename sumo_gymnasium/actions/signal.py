"""Actions of signals."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces

from sumo_gymnasium.actions import Action
from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class ChoosePhase:
    """Choose the phase to show next: Discrete(number of phases).

    Yellow, all-red, min and max green are kept. A choice that is not legal yet waits until it is, or until another
    choice replaces it.
    """

    def space(self, kernel: Kernel, signal: str) -> spaces.Space[Any]:
        """One action a phase."""
        return spaces.Discrete(len(kernel.traffic_light.phases(signal)))

    def apply(self, kernel: Kernel, signal: str, action: Any) -> None:
        """Request the phase."""
        kernel.traffic_light.request(signal, int(action))

    def info(self, kernel: Kernel, signal: str) -> dict[str, Any]:
        """The phase that shows or is being switched to, and 1 for each phase that could be had at once (int8)."""
        signals = kernel.traffic_light
        mask = np.array(signals.legal(signal), dtype=np.int8)
        return {"phase": signals.phase(signal), "action_mask": mask}


@dataclass(frozen=True)
class KeepProgram:
    """Leave the signal to its own program: Discrete(1), whose one action does nothing."""

    def space(self, kernel: Kernel, signal: str) -> spaces.Space[Any]:
        """One action."""
        return spaces.Discrete(1)

    def apply(self, kernel: Kernel, signal: str, action: Any) -> None:
        """Nothing."""

    def info(self, kernel: Kernel, signal: str) -> dict[str, Any]:
        """The phase that the program shows or goes to next."""
        return {"phase": kernel.traffic_light.phase(signal), "action_mask": np.array((1,), dtype=np.int8)}


ACTIONS: dict[str, Action] = {"phase": ChoosePhase(), "program": KeepProgram()}
