"""Rewards: arithmetic on the metrics before and after a decision. They know no kind of agent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from sumo_gymnasium.metrics import METRICS, Metric
from sumo_gymnasium.names import resolve

Measures = Mapping[Metric, float]


class Reward(Protocol):
    """What a decision was worth. `metrics` are measured for it, and shown in `info["metrics"]`."""

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """What it needs to know."""

    def __call__(self, before: Measures, after: Measures, /) -> float:
        """From the metrics when the decision was taken, and now."""


@dataclass(frozen=True)
class Weighted:
    """The sum of metrics, each times its weight: `Weighted({"queue_length": -1.0})`.

    Attributes:
        weights: by metric, or its name.
    """

    weights: Mapping[str | Metric, float]
    metrics: tuple[Metric, ...] = field(init=False)

    def __post_init__(self) -> None:
        found = tuple(resolve("metric", METRICS, metric) for metric in self.weights)
        if len(set(found)) < len(found):
            raise ValueError(f"weights={self.weights!r}: expected each metric once, by name or by itself")
        object.__setattr__(self, "metrics", found)

    def __call__(self, before: Measures, after: Measures) -> float:
        """Only `after` counts."""
        return sum(weight * after[metric] for metric, weight in zip(self.metrics, self.weights.values(), strict=True))


@dataclass(frozen=True)
class Decrease:
    """By how much a metric fell during the decision, times `scale`.

    Attributes:
        metric: or its name.
        scale: a factor.
    """

    metric: str | Metric
    scale: float = 1.0
    metrics: tuple[Metric, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "metrics", (resolve("metric", METRICS, self.metric),))

    def __call__(self, before: Measures, after: Measures) -> float:
        """Positive if it fell."""
        (metric,) = self.metrics
        return self.scale * (before[metric] - after[metric])


REWARDS: dict[str, Reward] = {
    "waiting_time_decrease": Decrease("accumulated_waiting_time", scale=0.01),  # sumo-rl's default, with its scale
    "queue_length": Weighted({"queue_length": -1.0}),
    "pressure": Weighted({"pressure": -1.0}),
    "relative_speed": Weighted({"relative_speed": 1.0}),
}
