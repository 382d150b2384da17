"""Stable-Baselines3 on any config of ours: `python examples/train_sb3.py examples/configs/sb3/ppo_intersection.yaml`.

Several agents share one policy: they are the slots of one VecEnv. KPIs before and after stand beside a rival's; the
model, the curve (delay in training, by step), and the config go to the output folder.
"""

import csv
from pathlib import Path
from typing import Any

import stable_baselines3
import training
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from sumo_gymnasium.adapters.sb3 import AgentsVecEnv
from sumo_gymnasium.evaluation import Result, evaluate


class Curve(BaseCallback):
    """Notes the delay of every episode that ends."""

    def __init__(self) -> None:
        super().__init__()
        self.points: list[tuple[int, float]] = []

    def _on_step(self) -> bool:
        ended = [info["kpis"] for info in self.locals["infos"] if "kpis" in info]
        self.points += [(self.num_timesteps, kpis["due"]["delay"]) for kpis in ended[:1]]
        return True

    def save(self, path: Path) -> None:
        """As CSV."""
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("steps", "due_delay"), *self.points])


def envs_of(run: training.Run) -> VecEnv:
    return AgentsVecEnv(run.make()) if run.several else DummyVecEnv([run.make])


def train(run: training.Run, seed: int, folder: Path) -> list[Result]:
    envs, curve = envs_of(run), Curve()
    envs.seed(seed)
    kind: Any = getattr(stable_baselines3, run.algorithm)
    model = kind("MlpPolicy", envs, seed=seed, **run.settings)
    before = evaluate(model, run.make, run.evaluation_seeds, name=f"seed {seed}, before")
    model.learn(run.budget, callback=curve)
    envs.close()
    model.save(folder / "model.zip")
    curve.save(folder / "curve.csv")
    return [before, evaluate(model, run.make, run.evaluation_seeds, name=f"seed {seed}, after")]


if __name__ == "__main__":
    training.main(train, __doc__)
