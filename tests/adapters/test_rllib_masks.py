"""RLlib's PPO with action masks."""

import numpy as np
import pytest

pytest.importorskip("ray")

from sumo_gymnasium import traffic_light_v0
from sumo_gymnasium.adapters import rllib
from sumo_gymnasium.adapters.rllib_masks import MaskedPPOModule
from tests.adapters.cluster import one_ray  # noqa: F401 - a fixture
from tests.adapters.rllib_runs import PADDED, Build, small_runs  # noqa: F401 - a fixture
from tests.conftest import SMALL


def test_masks__are_never_violated(build: Build) -> None:
    settings = {**PADDED, "masked": True}
    algorithm = build(rllib.AgentsEnv, settings, **rllib.shared(settings), module=MaskedPPOModule)
    algorithm.train()
    forbidden = 0
    for episode in algorithm.env_runner.sample(num_episodes=2, explore=True):
        for one in episode.agent_episodes.values():
            masks = one.get_observations()["action_mask"][:-1]
            assert masks[np.arange(len(one)), one.get_actions()].all()
            forbidden += int((masks == 0).sum())
    assert forbidden > 0
    assert all(np.isfinite(value.numpy()).all() for value in algorithm.get_module("shared").state_dict().values())


def test_masked_module__needs_masks() -> None:
    env = traffic_light_v0.parallel_env(scenario=SMALL, end=60)
    (agent,) = env.possible_agents
    with pytest.raises(ValueError, match="masked=True"):
        MaskedPPOModule(observation_space=env.observation_space(agent), action_space=env.action_space(agent))
    env.close()
