"""Agents of one simulation as the slots of one VecEnv of Stable-Baselines3."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stable_baselines3 import PPO

from sumo_gymnasium import traffic_light_v0
from sumo_gymnasium.adapters.sb3 import AgentsVecEnv


def parallel(**settings: Any) -> Any:
    return traffic_light_v0.parallel_env(**{"scenario": "resco-cologne3", "end": 25260, "pad": True, **settings})


@pytest.fixture
def slots() -> Iterator[AgentsVecEnv]:
    env = AgentsVecEnv(parallel())
    yield env
    env.close()


def test_slots__are_the_agents_of_one_simulation(slots: AgentsVecEnv) -> None:
    plain = parallel()
    slots.seed(1)
    seen, (expected, infos) = slots.reset(), plain.reset(seed=1)
    for _ in range(5):
        assert seen.shape == (3, *slots.observation_space.shape)  # type: ignore[misc]
        assert (seen == np.stack(list(expected.values()))).all()
        assert (np.stack(slots.env_method("action_masks")) == [info["action_mask"] for info in infos.values()]).all()
        seen, rewards, dones, _ = slots.step(np.zeros(3, dtype=int))
        expected, gained, _, _, infos = plain.step(dict.fromkeys(slots.agents, 0))
        assert rewards.tolist() == pytest.approx(list(gained.values()))
        assert not dones.any()
    plain.close()


def test_slots__go_on_with_a_new_episode_and_keep_the_end_of_the_last(slots: AgentsVecEnv) -> None:
    slots.seed(1)
    first = slots.reset()
    for _ in range(12):
        seen, _, dones, infos = slots.step(np.zeros(3, dtype=int))
    assert dones.all()
    assert seen.shape == first.shape
    for info in infos:
        assert info["kpis"]["end"] == 25260
        assert info["TimeLimit.truncated"]
        assert slots.observation_space.contains(info["terminal_observation"])
    _, _, dones, _ = slots.step(np.zeros(3, dtype=int))
    assert not dones.any()


def test_slots__learn_with_one_policy(slots: AgentsVecEnv, tmp_path: Path) -> None:
    model = PPO("MlpPolicy", slots, n_steps=16, batch_size=24, n_epochs=1, device="cpu", seed=1)
    model.learn(96)
    model.save(tmp_path / "model")
    again = PPO.load(tmp_path / "model", device="cpu")
    observation = slots.reset()
    assert (
        again.predict(observation, deterministic=True)[0] == model.predict(observation, deterministic=True)[0]
    ).all()


def test_slots__need_spaces_that_are_alike() -> None:
    env = parallel(pad=False)
    with pytest.raises(ValueError, match="pad=True"):
        AgentsVecEnv(env)
    env.close()
