"""One agent of Gymnasium for all signals."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

from sumo_gymnasium.envs.central import CentralEnv


def central(**settings: Any) -> CentralEnv:
    made = gymnasium.make("SumoTrafficLightCentral-v0", **{"scenario": "resco-cologne3", "end": 25500, **settings})
    env = made.unwrapped
    assert isinstance(env, CentralEnv)
    return env


@pytest.mark.parametrize("settings", [{}, {"flat": False}, {"action": "cycle_splits"}, {"scenario": "grid", "end": 60}])
def test_central__passes_gymnasiums_check(settings: dict[str, Any]) -> None:
    env = central(**settings)
    check_env(env)
    env.close()


def test_central__joins_spaces_masks_and_rewards() -> None:
    env = central(action="phase_when_legal")
    observation, info = env.reset(seed=1)
    assert isinstance(env.action_space, spaces.MultiDiscrete)
    assert env.observation_space.contains(observation)
    assert info["action_mask"].sum() >= len(env.agents)
    assert len(info["action_mask"]) == sum(env.action_space.nvec) == len(env.action_masks())  # type: ignore[arg-type]
    random = np.random.default_rng(1)
    for _ in range(20):
        observation, reward, terminated, truncated, info = env.step(random.integers(env.action_space.nvec))
        assert reward == sum(info["rewards"].values())
        assert set(info["rewards"]) == set(info["agents"]) == set(env.agents)
        assert not terminated
        assert not truncated
    assert not info["due"].all()
    env.close()


def test_central__splits_what_one_agent_says() -> None:
    env = central()
    env.reset(seed=1)
    wanted = np.array([action.n - 1 for _, action in env._spaces.values()])
    for _ in range(3):
        *_, info = env.step(wanted)
    assert [one["phase"] for one in info["agents"].values()] == wanted.tolist()
    env.close()


def test_central__gives_kpis_at_the_end() -> None:
    env = central(end=25210)
    env.reset(seed=1)
    env.step(env.action_space.sample())
    *_, truncated, info = env.step(env.action_space.sample())
    assert truncated
    assert info["kpis"]["end"] == 25210


def test_central__refuses_what_is_no_joint_action() -> None:
    env = central()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="not in MultiDiscrete"):
        env.step(np.array([9, 9, 9]))
    env.close()
