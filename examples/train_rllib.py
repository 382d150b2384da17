"""RLlib on any config of ours: `python examples/train_rllib.py examples/configs/rllib/ppo_cologne3.yaml`.

KPIs before and after stand beside a rival's; the checkpoint, the curve (delay in training, by iteration), and the
config go to the output folder. The checkpoint acts without Ray: see `adapters.rllib_trained`.
"""

import csv
from pathlib import Path
from typing import Any

import training
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.tune.registry import get_trainable_cls

from sumo_gymnasium.adapters import rllib
from sumo_gymnasium.adapters.rllib_masks import MaskedPPOModule
from sumo_gymnasium.adapters.rllib_trained import Trained, evaluate
from sumo_gymnasium.evaluation import Result


def several(run: training.Run) -> tuple[dict[str, Any], dict[str, Any]]:
    """The env_config of several agents, and their policies."""
    env_config = {"env": run.env, **run.arguments}
    if run.policies == "shared":
        return env_config, rllib.shared(env_config)
    if run.policies == "each":
        return env_config, rllib.one_per_agent(env_config)
    return env_config, rllib.grouped(env_config, run.policies)


def config_of(run: training.Run, seed: int) -> tuple[Any, Any]:
    """RLlib's config, and its policy_mapping_fn."""
    config = get_trainable_cls(run.algorithm).get_default_config()
    config.env_runners(num_env_runners=run.runners).training(**run.settings).debugging(seed=seed)
    config.callbacks(on_episode_end=rllib.log_kpis)
    if not run.several:
        return config.environment(f"sumo_gymnasium:{run.env}", env_config=dict(run.arguments)), str
    env_config, policies = several(run)
    config.environment(rllib.AgentsEnv, env_config=env_config).multi_agent(**policies)
    if run.arguments.get("masked"):
        config.rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedPPOModule))
    return config, policies["policy_mapping_fn"]


def train(run: training.Run, seed: int, folder: Path) -> list[Result]:
    config, policy_of = config_of(run, seed)
    algorithm = config.build_algo()

    def measured(when: str) -> Result:
        trained = Trained.load(algorithm.save_to_path(str((folder / when).resolve())), policy_of)
        return evaluate(trained, run.make, run.evaluation_seeds, f"seed {seed}, {when}")

    before = measured("before")
    with (folder / "curve.csv").open("w", newline="", encoding="utf-8") as file:
        curve = csv.writer(file)
        curve.writerow(("iteration", "steps", "due_delay"))
        for iteration in range(run.budget):
            found = algorithm.train()["env_runners"]
            delay = found.get("kpis", {}).get("due_delay")  # None until an episode has ended
            curve.writerow((iteration + 1, int(found["num_env_steps_sampled_lifetime"]), delay))
    after = measured("after")
    algorithm.stop()
    return [before, after]


if __name__ == "__main__":
    training.main(train, __doc__)
