"""What RLlib has trained, without Ray."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

pytest.importorskip("ray")

from ray.rllib.utils.spaces.space_utils import unsquash_action
from ray.tune.registry import get_trainable_cls

from sumo_gymnasium.adapters import rllib, rllib_trained
from sumo_gymnasium.adapters.rllib_masks import MaskedPPOModule
from sumo_gymnasium.adapters.rllib_trained import Trained
from tests.adapters.cluster import one_ray  # noqa: F401 - a fixture
from tests.adapters.rllib_runs import PADDED, SINGLE, Build, small_runs  # noqa: F401 - a fixture


def test_checkpoint__goes_on_and_acts_without_ray(build: Build, tmp_path: Path) -> None:
    settings = {**PADDED, "masked": True}
    algorithm = build(rllib.AgentsEnv, settings, **rllib.shared(settings), module=MaskedPPOModule)
    algorithm.train()
    algorithm.save_to_path(str(tmp_path))
    again = type(algorithm).from_checkpoint(str(tmp_path))
    assert again.train()["training_iteration"] == 2
    again.stop()
    code = f"""
import ray
from sumo_gymnasium.adapters.rllib import parallel_env
from sumo_gymnasium.adapters.rllib_trained import Trained
from sumo_gymnasium.evaluation import evaluate
result = evaluate(Trained.load({str(tmp_path)!r}), lambda: parallel_env({settings!r}), [1])
assert not ray.is_initialized()
print(result.values("due_delay")[0])
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    trained = Trained.load(tmp_path)
    here = rllib_trained.evaluate(trained, lambda: rllib.parallel_env(settings), [1], "trained")
    assert float(said.split()[-1]) == here.values("due_delay")[0]


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize(
    ("algorithm", "env", "arguments"),
    [
        ("PPO", "SumoRing-v0", {"end": 10}),
        ("SAC", "SumoRing-v0", {"end": 10}),
        ("DQN", "SumoTrafficLight-v0", {**SINGLE, "end": 100}),
    ],
)
def test_checkpoint__acts_as_rllib_does(tmp_path: Path, algorithm: str, env: str, arguments: dict[str, Any]) -> None:
    config = get_trainable_cls(algorithm).get_default_config()
    config.environment(f"sumo_gymnasium:{env}", env_config=arguments).env_runners(num_env_runners=0)
    built = config.debugging(seed=1).build_algo()
    built.save_to_path(str(tmp_path))
    (episode,) = built.env_runner.sample(num_episodes=1, explore=False)
    trained = Trained.load(tmp_path)
    assert len(episode) >= 20
    for observation, action in zip(episode.get_observations()[:-1], episode.get_actions(), strict=True):
        theirs = unsquash_action(action, episode.action_space)
        assert trained.action("", observation) == pytest.approx(theirs, abs=1e-5)
    built.stop()


def test_checkpoint__has_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="save_to_path"):
        Trained.load(tmp_path)


def test_action_of_a_box__is_scaled_as_rllib_does() -> None:
    box = spaces.Box(np.array([-4, 0], np.float32), np.array([2, 50], np.float32))
    for action in np.random.default_rng(1).uniform(-1.5, 1.5, (20, 2)).astype(np.float32):
        ours = rllib_trained._in_space(box, action)
        assert box.contains(ours)
        assert ours == pytest.approx(unsquash_action(action, box), abs=1e-5)
