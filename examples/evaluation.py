"""How everybody is measured: on the same seeds, by KPIs from SUMO's own accounts."""

from collections.abc import Callable, Sequence
from statistics import mean
from typing import Any, NamedTuple

import gymnasium

ID = "sumo_gymnasium:SumoTrafficLight-v0"


class Result(NamedTuple):
    """One episode: means over all vehicles due (s), also those that found no room to depart, and over decisions."""

    delay: float
    travel_time: float
    queue: float


def mean_delay(results: Sequence[Result]) -> float:
    return mean(result.delay for result in results)


def evaluate(policy: Callable[[Any], Any], seeds: Sequence[int], **settings: Any) -> list[Result]:
    env = gymnasium.make(ID, **settings, reward="queue_length")  # so that the queue stands in info["metrics"]
    results = [episode(env, policy, seed) for seed in seeds]
    env.close()
    return results


def episode(env: gymnasium.Env[Any, Any], policy: Callable[[Any], Any], seed: int) -> Result:
    observation, info = env.reset(seed=seed)
    queues, over = [], False
    while not over:
        observation, _, _, over, info = env.step(policy(observation))
        queues.append(info["metrics"]["queue_length"])
    kpis = info["kpis"]["due"]
    return Result(kpis["delay"], kpis["travel_time"], mean(queues))
