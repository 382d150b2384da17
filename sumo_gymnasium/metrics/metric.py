"""What a metric is."""

from collections.abc import Callable

from sumo_gymnasium.kernels.kernel import Kernel

Metric = Callable[[Kernel, str], float]


def name_of(metric: Metric) -> str:
    """What a metric is called in `info`."""
    return getattr(metric, "__name__", type(metric).__name__)
