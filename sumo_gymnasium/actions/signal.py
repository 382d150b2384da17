"""Actions of signals."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.actions import Action
from sumo_gymnasium.actions.durations import CycleSplits, GreenDuration, Plan
from sumo_gymnasium.actions.programs import RunProgram
from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class ChoosePhase:
    """Choose the phase to show next: Discrete(number of phases).

    Yellow, all-red, min and max green are kept. A choice that is not legal yet waits until it is, or until another
    choice replaces it.

    Attributes:
        when_legal: ask only when another phase could be had at once: a decision then holds until what was chosen has
            shown for its min green, and at least for the decision interval.
    """

    when_legal: bool = False

    def space(self, kernel: Kernel, signal: str) -> spaces.Space[Any]:
        """One action a phase."""
        return spaces.Discrete(len(kernel.traffic_light.phases(signal)))

    def apply(self, kernel: Kernel, signal: str, action: Any) -> None:
        """Request the phase."""
        kernel.traffic_light.request(signal, int(action))

    def duration(self, kernel: Kernel, signal: str, action: Any) -> float:
        """How long the decision holds, s."""
        return _interval(kernel, signal, self.when_legal)

    def info(self, kernel: Kernel, signal: str) -> dict[str, Any]:
        """The phase that shows or is being switched to, and 1 for each phase that could be had at once (int8)."""
        signals = kernel.traffic_light
        return {"phase": signals.phase(signal), "action_mask": _mask(signals.legal(signal))}


@dataclass(frozen=True)
class KeepOrSwitch:
    """Keep the phase (0), or go on to the next one of the program (1): Discrete(2).

    Attributes:
        when_legal: see `ChoosePhase`.
    """

    when_legal: bool = False

    def space(self, kernel: Kernel, signal: str) -> spaces.Space[Any]:
        """Two actions."""
        return spaces.Discrete(2)

    def apply(self, kernel: Kernel, signal: str, action: Any) -> None:
        """Request the phase, or the next."""
        signals = kernel.traffic_light
        phase = signals.phase(signal) + int(action)
        signals.request(signal, phase % len(signals.phases(signal)))

    def duration(self, kernel: Kernel, signal: str, action: Any) -> float:
        """How long the decision holds, s."""
        return _interval(kernel, signal, self.when_legal)

    def info(self, kernel: Kernel, signal: str) -> dict[str, Any]:
        """The phase that shows or is being switched to, and whether keeping and switching would be done at once."""
        signals = kernel.traffic_light
        phase, legal = signals.phase(signal), signals.legal(signal)
        following = (phase + 1) % len(legal)
        return {"phase": phase, "action_mask": _mask((legal[phase], following != phase and legal[following]))}


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
        return {"phase": kernel.traffic_light.phase(signal), "action_mask": _mask((True,))}


def _interval(kernel: Kernel, signal: str, when_legal: bool) -> float:
    interval = kernel.config.decision_interval
    return kernel.traffic_light.settled_in(signal, interval) if when_legal else interval


def _mask(legal: tuple[bool, ...]) -> NDArray[np.int8]:
    return np.array(legal, dtype=np.int8)


ACTIONS: dict[str, Action] = {
    "phase": ChoosePhase(),
    "phase_when_legal": ChoosePhase(when_legal=True),
    "keep_or_switch": KeepOrSwitch(),
    "keep_or_switch_when_legal": KeepOrSwitch(when_legal=True),
    "green_duration": GreenDuration(),
    "green_duration_continuous": GreenDuration(continuous=True),
    "cycle_splits": CycleSplits(),
    "plan": Plan(),
    "program": KeepProgram(),
    "actuated": RunProgram("actuated"),
    "delay_based": RunProgram("delay_based"),
}
