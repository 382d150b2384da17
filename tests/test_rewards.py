import copy
import pickle

import pytest

from sumo_gymnasium.metrics.signal import pressure, queue_length
from sumo_gymnasium.rewards import REWARDS, Decrease, Weighted

BEFORE = {queue_length: 7.0, pressure: 3.0}
AFTER = {queue_length: 4.0, pressure: 5.0}


def test_weighted__adds_up_what_is_there_now() -> None:
    reward = Weighted({"queue_length": -2.0, pressure: 0.5})
    assert reward.metrics == (queue_length, pressure)
    assert reward(BEFORE, AFTER) == -2.0 * 4.0 + 0.5 * 5.0


def test_decrease__is_positive_where_it_fell() -> None:
    assert Decrease("queue_length", scale=0.5)(BEFORE, AFTER) == 1.5
    assert Decrease(pressure)(BEFORE, AFTER) == -2.0


def test_unknown_metric__is_a_suggestion() -> None:
    with pytest.raises(ValueError, match="no metric 'queu_length'; did you mean 'queue_length'"):
        Weighted({"queu_length": 1.0})


def test_weighted__takes_each_metric_once() -> None:
    with pytest.raises(ValueError, match="expected each metric once"):
        Weighted({"queue_length": 1.0, queue_length: 2.0})


@pytest.mark.parametrize("name", REWARDS)
def test_rewards__survive_pickle_and_copy(name: str) -> None:
    reward = REWARDS[name]
    assert pickle.loads(pickle.dumps(reward)) == reward
    assert copy.deepcopy(reward) == reward
