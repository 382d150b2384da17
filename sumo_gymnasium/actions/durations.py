"""Actions of signals that say how long greens last: each holds until what it asked for has been shown."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.config import SHORTEST, steps_up, time
from sumo_gymnasium.kernels.kernel import Kernel

LONGEST = 3600.0  # s, of a green or cycle


@dataclass(frozen=True)
class GreenDuration:
    """Go on to the next phase of the program, and choose how long it shows.

    Discrete(k): min green, min green + `step`, … up to `longest`; or, `continuous`, Box(min green, longest, (1,),
    float32), in s, rounded up to whole simulation steps. The next decision comes when that green is over.

    Attributes:
        longest: s; a max green that is shorter counts.
        step: s between the choices.
        continuous: choose any number of seconds.
    """

    longest: float = 60.0
    step: float = 5.0
    continuous: bool = False

    def __post_init__(self) -> None:
        time("longest", self.longest, least=SHORTEST, most=LONGEST)
        time("step", self.step, least=SHORTEST, most=LONGEST)

    def space(self, kernel: Kernel, signal: str) -> spaces.Space[Any]:
        """The greens to choose from.

        Raises:
            ValueError: `longest` is less than the signal's min green.
        """
        least, most = self._bounds(kernel, signal)
        if self.continuous:
            return spaces.Box(least, most, (1,), np.float32)
        return spaces.Discrete(int((most - least) / self.step + 1e-6) + 1)

    def apply(self, kernel: Kernel, signal: str, action: Any) -> None:
        """Request the next phase for so long."""
        signals = kernel.traffic_light
        following = (signals.phase(signal) + 1) % len(signals.phases(signal))
        green = self._green(kernel, signal, action)
        kernel.memory(self, signal)["green"] = green
        signals.follow(signal, [(following, green)])

    def duration(self, kernel: Kernel, signal: str, action: Any) -> float:
        """Yellow, all-red and green, s."""
        return kernel.traffic_light.settled_in(signal, self._green(kernel, signal, action))

    def info(self, kernel: Kernel, signal: str) -> dict[str, Any]:
        """The phase, and how long it was asked to show, s; 0 before the first decision. Discrete: all may be chosen."""
        told = {"phase": kernel.traffic_light.phase(signal), "green": kernel.memory(self, signal).get("green", 0.0)}
        if self.continuous:
            return told
        space = self.space(kernel, signal)
        return {**told, "action_mask": np.ones(space.n, dtype=np.int8)}  # type: ignore[attr-defined]

    def _bounds(self, kernel: Kernel, signal: str) -> tuple[float, float]:
        timing = kernel.traffic_light.timing_of(signal)
        most = self.longest if timing.max_green is None else min(self.longest, timing.max_green)
        if most < timing.min_green:
            raise ValueError(
                f"longest={self.longest:g} s is less than the min green of signal {signal!r}, {timing.min_green:g} s"
            )
        return timing.min_green, most

    def _green(self, kernel: Kernel, signal: str, action: Any) -> float:
        least, most = self._bounds(kernel, signal)
        chosen = float(np.asarray(action).reshape(-1)[0])
        green = chosen if self.continuous else least + chosen * self.step
        return _whole_steps(kernel, min(max(green, least), most))


@dataclass(frozen=True)
class CycleSplits:
    """Share one cycle among the phases: Box(0, 1, (number of phases,), float32), one weight a phase.

    All phases show once in program order. Each gets its min green; what is left of the cycle after yellow and all-red
    is shared in proportion to the weights (equally if all are 0). The next decision comes when the cycle is over.

    Attributes:
        cycle: s; where max green or links that stay green make it shorter, the cycle is shorter.
    """

    cycle: float = 90.0

    def __post_init__(self) -> None:
        time("cycle", self.cycle, least=SHORTEST, most=LONGEST)

    def space(self, kernel: Kernel, signal: str) -> spaces.Space[Any]:
        """One weight a phase.

        Raises:
            ValueError: the cycle is too short for all min greens.
        """
        self._free(kernel, signal)
        return spaces.Box(0.0, 1.0, (len(kernel.traffic_light.phases(signal)),), np.float32)

    def apply(self, kernel: Kernel, signal: str, action: Any) -> None:
        """Lay out one cycle, from the phase after the present one."""
        signals = kernel.traffic_light
        greens = self._greens(kernel, signal, action)
        kernel.memory(self, signal)["greens"] = greens
        count = len(greens)
        order = [(signals.phase(signal) + 1 + place) % count for place in range(count)]
        signals.follow(signal, [(phase, float(greens[phase])) for phase in order])

    def duration(self, kernel: Kernel, signal: str, action: Any) -> float:
        """The cycle, s."""
        return kernel.traffic_light.settled_in(signal, min(self._greens(kernel, signal, action)))

    def info(self, kernel: Kernel, signal: str) -> dict[str, Any]:
        """The phase, and the green of each in this cycle, s; zeros before the first decision."""
        count = len(kernel.traffic_light.phases(signal))
        greens: NDArray[np.float64] = kernel.memory(self, signal).get("greens", np.zeros(count))
        return {"phase": kernel.traffic_light.phase(signal), "greens": greens.copy()}

    def _free(self, kernel: Kernel, signal: str) -> float:
        """What is left of the cycle after min greens, yellows and all-reds, s."""
        timing = kernel.traffic_light.timing_of(signal)
        phases = len(kernel.traffic_light.phases(signal))
        least = phases * (timing.min_green + timing.yellow + timing.all_red)
        if least > self.cycle:
            raise ValueError(
                f"cycle={self.cycle:g} s is too short for the {phases} phases of signal {signal!r}; expected at least "
                f"{least:g} s"
            )
        return self.cycle - least

    def _greens(self, kernel: Kernel, signal: str, action: Any) -> NDArray[np.float64]:
        timing = kernel.traffic_light.timing_of(signal)
        step = kernel.simulation.step_length
        ends = np.cumsum(_shares(np.asarray(action, dtype=np.float64))) * self._free(kernel, signal)
        extra = np.diff(np.round(ends / step) * step, prepend=0.0)
        return np.minimum(timing.min_green + extra, np.inf if timing.max_green is None else timing.max_green)


@dataclass(frozen=True)
class Plan:
    """Choose which of the signal's programs shows for one cycle: Discrete(number of programs with a green).

    The program that is active at begin is 0, the others follow in the order of the files. The greens and their
    durations are the program's; yellow and all-red are the env's.
    """

    def space(self, kernel: Kernel, signal: str) -> spaces.Space[Any]:
        """One action a program.

        Raises:
            ValueError: there is no program with phases in sequence.
        """
        return spaces.Discrete(len(_plans(kernel, signal)))

    def apply(self, kernel: Kernel, signal: str, action: Any) -> None:
        """Show its greens once."""
        step = kernel.simulation.step_length
        plan = _plans(kernel, signal)[int(action)]
        kernel.memory(self, signal)["plan"] = int(action)
        kernel.traffic_light.follow(signal, [(phase, steps_up(green, step) * step) for phase, green in plan])

    def duration(self, kernel: Kernel, signal: str, action: Any) -> float:
        """The cycle, s."""
        greens = [green for _, green in _plans(kernel, signal)[int(action)]]
        return kernel.traffic_light.settled_in(signal, min(greens))

    def info(self, kernel: Kernel, signal: str) -> dict[str, Any]:
        """The phase, and the plan that shows (-1 before the first decision); all may be chosen."""
        mask = np.ones(len(_plans(kernel, signal)), dtype=np.int8)
        plan = kernel.memory(self, signal).get("plan", -1)
        return {"phase": kernel.traffic_light.phase(signal), "plan": plan, "action_mask": mask}


def _plans(kernel: Kernel, signal: str) -> tuple[tuple[tuple[int, float], ...], ...]:
    plans = kernel.traffic_light.plans(signal)
    if not plans:
        raise ValueError(f"signal {signal!r} has no program whose phases come in sequence; expected one. Use 'phase'")
    return plans


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    total = weights.sum()
    return weights / total if total > 0 else np.full(weights.shape, 1 / weights.size)


def _whole_steps(kernel: Kernel, seconds: float) -> float:
    step = kernel.simulation.step_length
    return round(steps_up(seconds, step) * step, 3)
