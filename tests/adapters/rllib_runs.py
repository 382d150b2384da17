"""Small runs of RLlib for tests."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from sumo_gymnasium.adapters import rllib
from tests.conftest import SMALL

SINGLE = {"scenario": SMALL, "end": 60}
COLOGNE = {"env": "traffic_light_v0", "scenario": "resco-cologne3", "end": 25260}  # 60 s, 12 decisions
PADDED = {**COLOGNE, "pad": True}
Build = Callable[..., Any]


@pytest.fixture(name="build")
def small_runs(cluster: None) -> Iterator[Build]:
    """A small PPO on an env."""
    built = []

    def algorithm(env: Any, env_config: dict[str, Any], runners: int = 0, restart: bool = False, **several: Any) -> Any:
        config = PPOConfig().environment(env, env_config=env_config).env_runners(num_env_runners=runners)
        config.training(train_batch_size_per_learner=24, minibatch_size=12, num_epochs=1)
        config.callbacks(on_episode_end=rllib.log_kpis).debugging(seed=1, log_level="ERROR")
        config.fault_tolerance(restart_failed_sub_environments=restart)
        if several:
            config.multi_agent(**{name: several[name] for name in ("policies", "policy_mapping_fn")})
            if "module" in several:
                config.rl_module(rl_module_spec=RLModuleSpec(module_class=several["module"]))
        built.append(config.build_algo())
        return built[-1]

    yield algorithm
    for each in built:
        each.stop()
