"""What `train_sb3.py` and `train_rllib.py` share: a run as a YAML file says it, and the table in the end."""

import argparse
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import gymnasium

from sumo_gymnasium import Weighted, traffic_light_v0, vehicle_v0
from sumo_gymnasium.evaluation import Comparison, Result, evaluate

PARALLEL = {"traffic_light_v0": traffic_light_v0.parallel_env, "vehicle_v0": vehicle_v0.parallel_env}


@dataclass(frozen=True, kw_only=True)
class Run:
    """What is trained, on what, and how it is measured. `budget` counts steps (SB3) or iterations (RLlib)."""

    env: str  # a Gymnasium id of ours, "traffic_light_v0" or "vehicle_v0"
    arguments: Mapping[str, Any]  # of the env
    algorithm: str
    budget: int
    output: str
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the algorithm
    policies: Any = "shared"  # RLlib, several agents: "shared", "each", or {policy: [agents]}
    runners: int = 0  # RLlib: processes that sample
    seeds: tuple[int, ...] = (0,)
    evaluation_seeds: tuple[int, ...] = (1001, 1002, 1003)
    rival: str | None = None  # a controller to compare with, or "sumo": SUMO's own driver

    @property
    def several(self) -> bool:
        """Whether there are several agents."""
        return self.env in PARALLEL

    def make(self) -> Any:
        """The env."""
        if self.several:
            return PARALLEL[self.env](**self.arguments)
        return gymnasium.make(f"sumo_gymnasium:{self.env}", **self.arguments)

    def rivals(self) -> list[Result]:
        """What the rival comes to. It brings the action that it needs."""
        if self.rival is None:
            return []
        if self.rival == "sumo":
            driven = replace(self, arguments={**self.arguments, "action": "sumo_driver"})
            return [evaluate(only_action, driven.make, self.evaluation_seeds, name="sumo")]
        others = {name: value for name, value in self.arguments.items() if name not in ("pad", "masked", "scenario")}
        where = self.arguments["scenario"] if self.several else f"sumo_gymnasium:{self.env}"
        others |= {} if self.several else {"scenario": self.arguments["scenario"]}
        return [evaluate(self.rival, where, self.evaluation_seeds, **others)]


def only_action(observation: Any) -> int:
    """Of an env in which SUMO drives."""
    return 0


def read(path: Path) -> Run:
    """The run of a YAML file."""
    try:
        import yaml  # noqa: PLC0415 - comes with Ray, not with Stable-Baselines3
    except ImportError as error:
        raise SystemExit("configs are YAML files: pip install pyyaml") from error
    given = yaml.safe_load(path.read_text(encoding="utf-8"))
    known = {each.name for each in fields(Run)}
    if not isinstance(given, dict) or not set(given) <= known:
        raise SystemExit(f"{path}: no setting {set(given) - known}; there are: {', '.join(sorted(known))}")
    arguments = dict(given.get("arguments", {}))
    if isinstance(arguments.get("reward"), dict):  # weights of metrics
        arguments["reward"] = Weighted(arguments["reward"])
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    return Run(**{**given, "arguments": arguments})


def main(train: Callable[[Run, int, Path], list[Result]], description: str | None) -> None:
    """`train` each seed of the config on the command line, and print what it came to, beside the rival."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("config", type=Path)
    config = parser.parse_args().config
    run = read(config)
    results = []
    for seed in run.seeds:
        folder = Path(run.output) / f"seed-{seed}"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(config, folder / "config.yaml")
        results += train(run, seed, folder)
    found = Comparison((*results, *run.rivals()))
    print(found.table())
    (Path(run.output) / "results.json").write_text(found.to_json(), encoding="utf-8")
