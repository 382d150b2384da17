"""One PPO policy for the three signals of cologne3 has to beat max pressure: `python examples/train_cologne3.py`.

The signals are the slots of one VecEnv. Every few episodes the policy plays validation seeds; the best one is kept, and
compared with controllers on seeds that it has never seen. The weights, the curve and the results go to `runs/cologne3`.
"""

import argparse
import hashlib
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback

from sumo_gymnasium import Decrease, traffic_light_v0
from sumo_gymnasium.adapters.sb3 import AgentsVecEnv
from sumo_gymnasium.evaluation import Comparison, compare, evaluate
from sumo_gymnasium.plots import learning_curve

DELAY = "due_delay"
RIVALS = ("fixed", "max_pressure", "max_pressure_guarded", "greedy")
VALIDATION = (101, 102, 103)
TEST = (1, 2, 3, 4, 5)


def make(end: float | None = None) -> Any:
    """All signals as agents with the same spaces, each rewarded for the time that vehicles lose before it."""
    return traffic_light_v0.parallel_env(
        scenario="resco-cologne3",
        end=end,
        decision_interval=10,
        pad=True,
        observation="drq_norm",
        reward=Decrease("time_loss", scale=0.02),
    )


class KeepBest(BaseCallback):
    """Plays the validation seeds every so many steps, and saves the policy when it is the best so far."""

    def __init__(self, make: Callable[[], Any], every: int, path: Path) -> None:
        super().__init__()
        self.make, self.every, self.path = make, every, path
        self.training: list[tuple[int, float]] = []
        self.validation: list[tuple[int, float]] = []

    def _on_step(self) -> bool:
        ended = [info["kpis"] for info in self.locals["infos"][:1] if "kpis" in info]
        self.training += [(self.num_timesteps, kpis["due"]["delay"]) for kpis in ended]
        return True

    def _on_rollout_end(self) -> None:
        if self.num_timesteps >= self.every * (len(self.validation) + 1):
            self._validate()

    def _on_training_end(self) -> None:
        self._validate()

    def _validate(self) -> None:
        found = evaluate(self.model, self.make, VALIDATION).summary(DELAY)
        assert found is not None, "every validation episode failed"
        if all(found.mean < delay for _, delay in self.validation):
            self.model.save(self.path)
        self.validation.append((self.num_timesteps, found.mean))


def train(make: Callable[[], Any], episodes: int, seed: int, path: Path) -> KeepBest:
    """PPO on seeds that follow from `seed`."""
    envs = AgentsVecEnv(make())
    envs.seed(seed)
    keep = KeepBest(make, every=21_600, path=path)
    model = PPO(
        "MlpPolicy",
        envs,
        n_steps=360,
        batch_size=270,
        n_epochs=8,
        gamma=0.95,
        learning_rate=lambda remaining: 7e-4 * remaining,
        target_kl=0.05,
        seed=seed,
        device="cpu",
    )
    model.learn(episodes * 360 * envs.num_envs, callback=keep, progress_bar=True)
    envs.close()
    return keep


def main() -> int:
    """The exit code: 0 if the policy beats max pressure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=66)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--end", type=float, help="of every episode, simulated s; to see it run")
    parser.add_argument("--folder", type=Path, default=Path("runs/cologne3"))
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    env = partial(make, asked.end)
    keep = train(env, asked.episodes, asked.seed, asked.folder / "policy.zip")
    best = PPO.load(keep.path, device="cpu")
    ours = evaluate(best, env, TEST, name="PPO")
    theirs = compare(RIVALS, "resco-cologne3", TEST, decision_interval=10, end=asked.end)
    found = Comparison((ours, *theirs))
    print(found.table())
    (asked.folder / "results.json").write_text(found.to_json(), encoding="utf-8")
    delays = {result.policy: float(np.mean(result.values(DELAY))) for result in found}
    rivals = {name: delay for name, delay in delays.items() if name != "PPO"}
    learning_curve(keep.training, keep.validation, rivals, "delay of a vehicle due, s", asked.folder / "curve.png")
    print(f"SHA-256 of the weights: {digest(best)}, in {keep.path}")
    won = delays["PPO"] < delays["max_pressure"]
    print(f"PPO {'beats' if won else 'does not beat'} max pressure")
    return 0 if won else 1


def digest(model: PPO) -> str:
    """Of the parameters alone: the file also holds when it was made."""
    values = hashlib.sha256()
    for name, weights in sorted(model.policy.state_dict().items()):
        values.update(name.encode() + weights.numpy().tobytes())
    return values.hexdigest()


if __name__ == "__main__":
    logging.getLogger("sumo_gymnasium").setLevel(logging.ERROR)  # SUMO's warnings would tear the progress bar apart
    torch.set_num_threads(1)
    raise SystemExit(main())
