import copy
import pickle
import re
from typing import Any

import numpy as np
import pytest

from sumo_gymnasium.metrics import Metric
from sumo_gymnasium.metrics.neighbours import WithNeighbours
from sumo_gymnasium.metrics.safety import drac
from sumo_gymnasium.metrics.signal import pressure, queue_length
from sumo_gymnasium.metrics.traffic import DesiredVelocity
from sumo_gymnasium.metrics.vehicle import VEHICLE_METRICS
from sumo_gymnasium.rewards import REWARDS, VEHICLE_REWARDS, Decrease, Vector, Weighted
from sumo_gymnasium.testing.fake_vehicles import FakeVehicle, fake_vehicles
from tests.conftest import Make

BEFORE = {queue_length: 7.0, pressure: 3.0}
AFTER = {queue_length: 4.0, pressure: 5.0}


def test_weighted__adds_up_what_is_there_now() -> None:
    reward = Weighted({"queue_length": -2.0, pressure: 0.5})
    assert reward.metrics == (queue_length, pressure)
    assert reward(BEFORE, AFTER) == -2.0 * 4.0 + 0.5 * 5.0


def test_weighted__takes_rewards_as_terms() -> None:
    reward = Weighted({Decrease("queue_length"): 10.0, "queue_length": -1.0, pressure: 2.0})
    assert reward.metrics == (queue_length, pressure)  # measured once
    assert reward(BEFORE, AFTER) == 10.0 * 3.0 - 4.0 + 2.0 * 5.0


def test_decrease__is_positive_where_it_fell() -> None:
    assert Decrease("queue_length", scale=0.5)(BEFORE, AFTER) == 1.5
    assert Decrease(pressure)(BEFORE, AFTER) == -2.0


def test_vector__keeps_the_weighted_terms_apart() -> None:
    reward = Vector({"queue_length": -2.0, Decrease(pressure): 0.5})
    values = reward(BEFORE, AFTER)
    assert values.tolist() == [-8.0, -1.0]
    assert values.dtype == np.float32
    assert reward.space.contains(values)
    values[:] = 0
    assert reward(BEFORE, AFTER).tolist() == [-8.0, -1.0]


def test_unknown_metric__is_a_suggestion() -> None:
    with pytest.raises(ValueError, match="no metric 'queu_length'; did you mean 'queue_length'"):
        Weighted({"queu_length": 1.0})


@pytest.mark.parametrize("kind", [Weighted, Vector])
def test_weights__take_each_metric_once_and_finite_numbers(kind: type[Weighted | Vector]) -> None:
    with pytest.raises(ValueError, match="expected each metric once"):
        kind({"queue_length": 1.0, queue_length: 2.0})
    with pytest.raises(ValueError, match="and at least one"):
        kind({})
    with pytest.raises(ValueError, match="'pressure' is nan; expected a finite number"):
        kind({"queue_length": 1.0, "pressure": float("nan")})


@pytest.mark.parametrize("kind", [Weighted, Vector])
@pytest.mark.parametrize("given", [("a", "b"), ["queue_length"], "queue_length", {"queue_length"}, 1.0, None])
def test_weights__are_a_mapping(kind: type[Weighted | Vector], given: Any) -> None:
    with pytest.raises(TypeError, match=re.escape(f"weights={given!r}: expected a mapping of metrics to weights")):
        kind(given)


@pytest.mark.parametrize("name", REWARDS)
def test_rewards__survive_pickle_and_copy(name: str) -> None:
    reward = REWARDS[name]
    assert pickle.loads(pickle.dumps(reward)) == reward
    assert copy.deepcopy(reward) == reward


def test_with_neighbours__is_measured_and_shown_like_any_metric(make: Make) -> None:
    env = make(reward=Weighted({WithNeighbours("queue_length"): -1.0}))
    env.reset(seed=1)
    for _ in range(30):
        _, reward, _, _, info = env.step(0)
    assert reward == -info["metrics"]["queue_length_with_neighbours"] < 0
    env.close()


@pytest.mark.parametrize("name", REWARDS)
def test_rewards__are_finite_numbers_in_sumo_and_not_always_the_same(name: str, make: Make) -> None:
    env = make(reward=name).unwrapped
    env.reset(seed=1)
    env.action_space.seed(1)
    rewards = [env.step(env.action_space.sample())[1] for _ in range(40)]
    assert np.isfinite(rewards).all()
    assert np.ptp(np.array(rewards), axis=0).min() > 0
    if name == "vector":
        assert all(vector.shape == (3,) and vector.dtype == np.float32 for vector in rewards)
    else:
        assert {type(reward) for reward in rewards} == {float}
    env.close()


def vehicle_measures(**values: float) -> dict[Metric, float]:
    return {VEHICLE_METRICS[name]: value for name, value in values.items()}


@pytest.mark.parametrize(
    ("name", "before", "after", "worth"),
    [
        ("desired_velocity", {"desired_velocity": 0.1}, {"desired_velocity": 0.7}, 0.7),
        ("progress", {"distance": 30.0}, {"distance": 42.0}, 12.0),
        ("wave_attenuation", {"mean_speed": 0, "effort": 0}, {"mean_speed": 4.0, "effort": 0.0}, 0.8),
        ("wave_attenuation", {"mean_speed": 0, "effort": 0}, {"mean_speed": 4.0, "effort": 1.0}, -3.2),
        ("lane_change", {}, {"desired_velocity": 0.7, "lane_changed": 1.0}, 0.6),
        ("merge", {}, {"desired_velocity": 0.7, "time_gap_penalty": -0.5}, 0.65),
        ("standstill", {}, {"standing_vehicles": 3.0}, -3.0),
        ("energy", {}, {"power": 13_000.0}, -13.0),
        ("highway", {}, {"speed_ratio": 1.0, "right_lane": 1.0, "collided": 1.0}, -0.5),
    ],
)
def test_vehicle_rewards__are_worth(name: str, before: dict[str, float], after: dict[str, float], worth: float) -> None:
    value = VEHICLE_REWARDS[name](vehicle_measures(**before), vehicle_measures(**after))
    assert value == pytest.approx(worth)


@pytest.mark.parametrize("name", VEHICLE_REWARDS)
def test_vehicle_rewards__survive_pickle_and_measure_vehicles(name: str) -> None:
    reward = VEHICLE_REWARDS[name]
    assert pickle.loads(pickle.dumps(reward)) == copy.deepcopy(reward) == reward
    kernel = fake_vehicles({"a": FakeVehicle()})
    measures = {metric: metric(kernel, "a") for metric in reward.metrics}
    assert np.isfinite(reward(measures, measures))


def test_weighted__knows_metrics_of_vehicles_by_name() -> None:
    assert Weighted({DesiredVelocity(12.0): 1.0, "drac": -1.0}).metrics == (DesiredVelocity(12.0), drac)
