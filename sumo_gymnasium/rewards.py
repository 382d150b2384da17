"""Rewards: arithmetic on the metrics before and after a decision. They know no kind of agent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.metrics import METRICS, Metric
from sumo_gymnasium.metrics.neighbours import WithNeighbours
from sumo_gymnasium.metrics.vehicle import VEHICLE_METRICS
from sumo_gymnasium.names import resolve

Measures = Mapping[Metric, float]
NAMED: Mapping[str, Metric] = {**METRICS, **VEHICLE_METRICS}  # what a term can be called


class Reward(Protocol):
    """What a decision was worth. `metrics` are measured for it, and shown in `info["metrics"]`."""

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """What it needs to know."""

    def __call__(self, before: Measures, after: Measures, /) -> Any:
        """From the metrics when the decision was taken, and now: a float, or a vector of float32."""


Weights = Mapping[Any, float]  # by metric, its name, or a reward such as Decrease


@dataclass(frozen=True)
class Weighted:
    """The sum of terms, each times its weight: `Weighted({"queue_length": -1.0, Decrease("time_loss"): 0.1})`.

    Attributes:
        weights: by term: a metric or its name, of which what is measured after the decision counts, or another reward.
    """

    weights: Weights
    metrics: tuple[Metric, ...] = field(init=False)
    terms: tuple[Any, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", _terms(self.weights))
        object.__setattr__(self, "metrics", _metrics(self.terms))

    def __call__(self, before: Measures, after: Measures) -> float:
        """The sum."""
        weighted = zip(self.terms, self.weights.values(), strict=True)
        return sum(weight * _value(term, before, after) for term, weight in weighted)


@dataclass(frozen=True)
class Vector:
    """Terms, each times its weight, side by side: a reward of several objectives, as MO-Gymnasium's envs give it.

    Attributes:
        weights: as `Weighted` takes them; the objectives stand in their order.
    """

    weights: Weights
    metrics: tuple[Metric, ...] = field(init=False)
    terms: tuple[Any, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", _terms(self.weights))
        object.__setattr__(self, "metrics", _metrics(self.terms))

    @property
    def space(self) -> spaces.Box:
        """What MO-Gymnasium calls `reward_space`: one unbounded float32 an objective."""
        return spaces.Box(-np.inf, np.inf, (len(self.terms),), np.float32)

    def __call__(self, before: Measures, after: Measures) -> NDArray[np.float32]:
        """A fresh array, one value an objective."""
        weighted = zip(self.terms, self.weights.values(), strict=True)
        return np.array([weight * _value(term, before, after) for term, weight in weighted], np.float32)


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
        object.__setattr__(self, "metrics", (resolve("metric", NAMED, self.metric),))

    def __call__(self, before: Measures, after: Measures) -> float:
        """Positive if it fell."""
        (metric,) = self.metrics
        return self.scale * (before[metric] - after[metric])


def _terms(weights: Weights) -> tuple[Any, ...]:
    """What the weights are for: metrics and rewards.

    Raises:
        ValueError: there is none, one stands twice, or a weight is no finite number.
        TypeError: there are no weights.
    """
    if not isinstance(weights, Mapping):
        raise TypeError(f"weights={weights!r}: expected a mapping of metrics to weights, e.g. {{'queue_length': -1.0}}")
    terms = tuple(resolve("metric", NAMED, term) for term in weights)
    if not terms or len(set(terms)) < len(terms):
        raise ValueError(f"weights={weights!r}: expected each metric once, by name or by itself, and at least one")
    for term, weight in weights.items():
        if not np.isfinite(weight):
            raise ValueError(f"weights={weights!r}: the weight of {term!r} is {weight!r}; expected a finite number")
    return terms


def _metrics(terms: tuple[Any, ...]) -> tuple[Metric, ...]:
    """What must be measured for the terms, each once."""
    needed = (metric for term in terms for metric in getattr(term, "metrics", (term,)))
    return tuple(dict.fromkeys(needed))


def _value(term: Any, before: Measures, after: Measures) -> float:
    return float(term(before, after) if hasattr(term, "metrics") else after[term])


REWARDS: dict[str, Reward] = {
    "waiting_time_decrease": Decrease("accumulated_waiting_time", scale=0.01),  # sumo-rl's default, with its scale
    "queue_length": Weighted({"queue_length": -1.0}),
    "pressure": Weighted({"pressure": -1.0}),
    "link_pressure": Weighted({"link_pressure": -1.0}),
    "relative_speed": Weighted({"relative_speed": 1.0}),
    "waiting_time": Weighted({"waiting_time": -1.0}),
    "queue_and_wait": Weighted({"queue_length": -1.0, "first_wait": -0.2}),
    "queue_and_longest_wait": Weighted({"queue_length": -1.0, "longest_wait": -0.2}),
    "queue_and_wait_with_neighbours": Weighted(
        {WithNeighbours("queue_length"): -1.0, WithNeighbours("first_wait"): -0.2}
    ),
    "co2": Weighted({"co2": -1.0}),
    "time_loss": Decrease("time_loss"),
    "throughput": Decrease("vehicles_passed", scale=-1.0),
    "vector": Vector({"queue_length": -1.0, "waiting_time": -1.0, Decrease("vehicles_passed", scale=-1.0): 1.0}),
}

VEHICLE_REWARDS: dict[str, Reward] = {
    "desired_velocity": Weighted({"desired_velocity": 1.0}),
    "mean_speed": Weighted({"mean_speed": 1.0}),
    "speed": Weighted({"speed_ratio": 1.0}),
    "progress": Decrease("distance", scale=-1.0),
    "min_delay": Weighted({"min_delay": 1.0}),
    "standstill": Weighted({"standing_vehicles": -1.0}),
    "wave_attenuation": Weighted({"mean_speed": 0.2, "effort": -4.0}),  # Flow's: 4 v / 20 − 4 |a|
    "lane_change": Weighted({"desired_velocity": 1.0, "lane_changed": -0.1}),
    "merge": Weighted({"desired_velocity": 1.0, "time_gap_penalty": 0.1}),
    "energy": Weighted({"power": -1e-3}),  # kW
    "total_energy": Weighted({"total_power": -1e-3}),
    "fuel": Weighted({"fuel": -1.0}),
    "comfort": Weighted({"jerk": -1.0}),
    "time_to_collision": Weighted({"time_to_collision": 0.01}),  # 0 to 1
    "drac": Weighted({"drac": -1.0}),
    "collision": Weighted({"collided": -1.0}),
    "highway": Weighted({"speed_ratio": 0.4, "right_lane": 0.1, "collided": -1.0}),  # HighwayEnv's weights
    "safe_progress": Weighted({Decrease("distance", scale=-1.0): 0.1, "drac": -0.1, "jerk": -0.01, "collided": -10.0}),
}
