"""PPO learns to run the signal of the shipped intersection, and has to beat its fixed plan: `make demo`."""

import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import rivals
import torch
from evaluation import ID, evaluate, mean_delay
from figures import Curve, draw, table
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv

from sumo_gymnasium import Weighted

DEMAND = "asymmetric"
SCENARIO = f"intersection-{DEMAND}"
REWARD = Weighted({"queue_length": -0.05, "accumulated_waiting_time": -0.0005})  # short queues, nobody forgotten
PICTURE = Path("runs/demo.png")


class Learning(BaseCallback):
    """Notes what became of every training episode."""

    def __init__(self) -> None:
        super().__init__()
        self.curve: Curve = []

    def _on_step(self) -> bool:
        ended = [info["kpis"] for info in self.locals["infos"] if "kpis" in info]
        self.curve += [(self.num_timesteps, kpis["due"]["delay"]) for kpis in ended]
        return True


def train(decisions: int, seed: int, **settings: Any) -> tuple[PPO, Curve]:
    settings = {"scenario": SCENARIO, "reward": REWARD, **settings}
    settings["render_mode"] = None  # make_vec_env asks for frames otherwise
    envs = make_vec_env(ID, n_envs=4, seed=seed, env_kwargs=settings, vec_env_cls=SubprocVecEnv)
    model = PPO(
        "MlpPolicy",
        envs,
        n_steps=128,
        batch_size=128,
        gamma=0.95,
        learning_rate=lambda remaining: 2e-3 * remaining,
        seed=seed,
        device="cpu",
    )
    learning = Learning()
    model.learn(decisions, callback=learning, progress_bar=True)
    envs.close()
    return model, learning.curve


def main(decisions: int, seed: int, test_seeds: Sequence[int], picture: Path = PICTURE, **settings: Any) -> int:
    """The exit code: 0 if PPO has beaten the best of the fixed plans."""
    print(f"{SCENARIO}: first its rivals on {len(test_seeds)} seeds, then PPO on others …", flush=True)
    fixed = rivals.fixed(DEMAND, test_seeds, **settings)
    others = rivals.others(DEMAND, test_seeds, **settings)
    model, curve = train(decisions, seed, **settings)
    ours = evaluate(lambda seen: model.predict(seen, deterministic=True)[0], test_seeds, scenario=SCENARIO, **settings)
    results = {"PPO": ours, **fixed, **others}
    best = min(fixed, key=lambda name: mean_delay(fixed[name]))
    print(table(results))
    draw(results, curve, (best, rivals.ACTUATED), picture)
    won = mean_delay(ours) < mean_delay(fixed[best])
    print(f"PPO {'beats' if won else 'does not beat'} the {best}. Picture: {picture}")
    return 0 if won else 1


if __name__ == "__main__":
    logging.getLogger("sumo_gymnasium").setLevel(logging.ERROR)  # SUMO's warnings would tear the progress bar apart
    torch.set_num_threads(1)  # the neural network is small: the cores are for the simulations
    training_seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    sys.exit(main(20_000, training_seed, test_seeds=range(1000, 1005), decision_interval=10))
