"""What Gymnasium and Stable-Baselines3 ask of an env, for each registered id."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match
from stable_baselines3.common.env_checker import check_env as check_for_sb3

from sumo_gymnasium.registration import IDS


@pytest.mark.parametrize("name", IDS)
def test_id__passes_the_checkers(name: str) -> None:
    env = gymnasium.make(name, end=300)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
        check_for_sb3(env)
    env.close()


@pytest.mark.parametrize("name", IDS)
def test_id__is_reproducible(name: str) -> None:
    first, second = gymnasium.make(name, end=300), gymnasium.make(name, end=300)
    check_environments_match(first, second, num_steps=100, seed=5)
    first.close()
    second.close()


@pytest.mark.parametrize("name", IDS)
def test_id__stays_in_its_spaces_over_a_whole_episode(name: str) -> None:
    env = gymnasium.make(name)
    observation, _ = env.reset(seed=1)
    env.action_space.seed(1)
    truncated = False
    while not truncated:
        assert env.observation_space.contains(observation)
        last = observation
        observation, reward, _, truncated, _ = env.step(env.action_space.sample())
        assert type(reward) is float
        assert np.isfinite(reward)
        assert observation is not last
    assert env.unwrapped.last_episode.end == 3600
    env.close()
