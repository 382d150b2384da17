"""How everybody is measured: on the same seeds, by KPIs from SUMO's own accounts."""

from collections.abc import Callable, Sequence
from statistics import mean
from typing import Any, NamedTuple

from sumo_gymnasium import evaluation

ID = "sumo_gymnasium:SumoTrafficLight-v0"


class Result(NamedTuple):
    """One episode: means over all vehicles due (s), also those that found no room to depart, and over decisions."""

    delay: float
    travel_time: float
    queue: float


def mean_delay(results: Sequence[Result]) -> float:
    return mean(result.delay for result in results)


def evaluate(policy: Callable[[Any], Any], seeds: Sequence[int], **settings: Any) -> list[Result]:
    settings["reward"] = "queue_length"  # so that the queue is among the metrics
    result = evaluation.evaluate(policy, ID, seeds, **settings)
    if result.crashed:
        raise SystemExit(f"{result.scenario}, seed {result.crashed[0].seed}: {result.crashed[0].error}")
    columns = "due_delay", "due_travel_time", "mean_queue_length"
    return [Result(*values) for values in zip(*map(result.values, columns), strict=True)]
