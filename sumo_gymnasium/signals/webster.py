"""Webster's plan for one signal: the cycle and the greens of a fixed-time program, from flows (F. V. Webster 1958).

F. V. Webster, Traffic Signal Settings, Road Research Technical Paper 39, London 1958. For each phase i, in the order of
the program, y_i is the largest ratio of flow to saturation flow of the lanes it serves, and Y their sum.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Plan(NamedTuple):
    """A fixed-time program: each green is followed by the intergreen (yellow and all-red), all in s."""

    greens: tuple[float, ...]
    intergreen: float

    @property
    def cycle(self) -> float:
        """A full round, s."""
        return sum(self.greens) + self.intergreen * len(self.greens)


def optimal_cycle(ratios: Sequence[float], lost_time: float) -> float:
    """The cycle of least mean delay, s: C = (1.5 L + 5) / (1 − Y) with L = `lost_time` a cycle (Webster 1958).

    Raises:
        ValueError: Y ≥ 1, where no cycle serves the demand.
    """
    total = sum(ratios)
    if total >= 1:
        raise ValueError(
            f"flow ratios sum to {total:.3f}; expected less than 1: no cycle serves this demand. "
            "Lower the flows, add lanes, or give `webster` a max_cycle to fall back on"
        )
    return (1.5 * lost_time + 5.0) / (1.0 - total)


def webster(
    ratios: Sequence[float],
    *,
    phase_lost_time: float,
    intergreen: float,
    min_green: float = 5.0,
    max_cycle: float = 120.0,
    step_length: float = 1.0,
) -> Plan:
    """Webster's plan for phases with these critical flow `ratios`.

    The effective greens y_i / Y · (C − L) share the cycle less its lost time; a phase shows green for its effective
    green plus `phase_lost_time` less `intergreen`, since vehicles still pass in the yellow.

    Args:
        ratios: y_i of each phase, each above 0.
        phase_lost_time: the part of green and intergreen in which nobody passes, s a phase.
        intergreen: yellow and all-red after each green, s.
        min_green: no green is shorter, s; the cycle grows by what is missing.
        max_cycle: the cycle when Webster's is longer, or does not exist because Y ≥ 1 (oversaturation), s.
        step_length: greens are whole multiples of it, s.
    """
    if not ratios or min(ratios) <= 0:
        raise ValueError(f"ratios={tuple(ratios)}: expected one flow ratio above 0 for each phase")
    lost_time = phase_lost_time * len(ratios)
    cycle = max_cycle if sum(ratios) >= 1 else min(optimal_cycle(ratios, lost_time), max_cycle)
    effective = [ratio / sum(ratios) * (cycle - lost_time) for ratio in ratios]
    greens = [max(green + phase_lost_time - intergreen, min_green) for green in effective]
    return Plan(tuple(_whole_steps(green, step_length) for green in greens), intergreen)


def scaled(plan: Plan, factor: float, *, min_green: float = 5.0, step_length: float = 1.0) -> Plan:
    """`plan` with `factor` times its cycle and the same shares of green: to see whether another cycle were better."""
    green_time = plan.cycle * factor - plan.intergreen * len(plan.greens)
    share = green_time / sum(plan.greens)
    greens = (max(green * share, min_green) for green in plan.greens)
    return Plan(tuple(_whole_steps(green, step_length) for green in greens), plan.intergreen)


def _whole_steps(seconds: float, step_length: float) -> float:
    return round(seconds / step_length) * step_length
