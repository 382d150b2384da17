"""What Gymnasium and Stable-Baselines3 ask of an env, for each registered id."""

import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match
from stable_baselines3.common.env_checker import check_env as check_for_sb3

from sumo_gymnasium.registration import IDS, PETTINGZOO

SIGNALS = [name for name in IDS if "TrafficLight" in name]


@pytest.mark.parametrize("name", IDS)
def test_id__passes_the_checkers(name: str) -> None:
    env = gymnasium.make(name, end=300)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if name not in SIGNALS:  # speeds and gaps have no bound, and actions are m/s²
            warnings.filterwarnings("ignore", message=".*(infinity|symmetric and normalized|unconventional shape).*")
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
    end = 3600 if name == "SumoTrafficLight-v0" else 600
    env = gymnasium.make(name, end=end)
    observation, _ = env.reset(seed=1)
    env.action_space.seed(1)
    over = False
    while not over:
        assert env.observation_space.contains(observation)
        last = observation
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        over = terminated or truncated
        assert type(reward) is float
        assert np.isfinite(reward)
        assert observation is not last
    assert ("status" in info) is terminated
    assert info["kpis"] == env.unwrapped.last_episode.kpis
    assert env.unwrapped.last_episode.end == (info["time"] if terminated else end)
    env.close()


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry")
@pytest.mark.parametrize("name", PETTINGZOO)
@pytest.mark.parametrize("kind", ["parallel", "aec"])
def test_pettingzoos_id__makes_an_env(name: str, kind: str) -> None:
    env = pettingzoo.make(kind, name, end=60)
    env.reset(seed=1)
    assert env.agents
    env.close()
