"""Phases in a fixed order, each for a given green."""

from collections.abc import Sequence

from sumo_gymnasium.kernels.kernel import Kernel


def in_turn(kernel: Kernel, signal: str, greens: Sequence[float]) -> int:
    """The present phase, or the next one of the program once the present one's green, s, has passed.

    Decisions are `decision_interval` apart: the one nearest to the end of a green ends it.
    """
    signals = kernel.traffic_light
    present, legal = signals.phase(signal), signals.legal(signal)
    following = (present + 1) % len(greens)
    left = greens[present] - signals.green_time(signal)
    over = left < kernel.config.decision_interval / 2 or not legal[present]
    return following if over and legal[following] else present
