"""The scripts that train from a config: every config fits, and a small one runs from begin to end."""

import importlib
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sumo_gymnasium import Weighted
from tests.adapters.cluster import no_simulation_left, one_ray  # noqa: F401 - fixtures
from tests.conftest import SMALL
from tests.examples.test_demo import EXAMPLES
from tests.test_docs import rows

yaml = pytest.importorskip("yaml")
CONFIGS = sorted((EXAMPLES / "configs").glob("*/*.yaml"))
SMALL_SB3 = {
    "env": "SumoTrafficLight-v0",
    "arguments": {"scenario": SMALL, "end": 60},
    "algorithm": "PPO",
    "settings": {"n_steps": 12, "batch_size": 12, "n_epochs": 1, "device": "cpu"},
    "budget": 24,
}
COLOGNE = {"scenario": "resco-cologne3", "end": 25260}
PPO = {"train_batch_size_per_learner": 12, "minibatch_size": 12, "num_epochs": 1}
SMALL_RLLIB = {**SMALL_SB3, "settings": PPO, "budget": 2}


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))


def printed(script: str, config: dict[str, Any], folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the script says, run on a small config."""
    path = folder / "config.yaml"
    small = {"evaluation_seeds": [1], "rival": "fixed", "output": str(folder / "run"), **config}
    path.write_text(yaml.safe_dump(small), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", [script, str(path)])
    module = importlib.import_module(script)
    importlib.import_module("training").main(module.train, module.__doc__)
    return str(capsys.readouterr().out)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_config__makes_its_env_and_names_an_algorithm(path: Path) -> None:
    run = importlib.import_module("training").read(path)
    env = run.make()
    assert len(env.possible_agents) > 1 if run.several else env.action_space.shape is not None
    env.close()
    if path.parent.name == "sb3":
        assert hasattr(pytest.importorskip("stable_baselines3"), run.algorithm)
    else:
        pytest.importorskip("ray")
        config, _ = importlib.import_module("train_rllib").config_of(run, seed=0)
        assert config.algo_class.__name__ == run.algorithm


@pytest.mark.parametrize("library", ["sb3", "rllib"])
def test_page__lists_every_config(library: str) -> None:
    page = (EXAMPLES.parent / "docs" / f"{library}.md").read_text("utf-8")
    listed = {row[0].strip("`") for row in rows(page)}
    assert {path.stem for path in CONFIGS if path.parent.name == library} <= listed


def test_config__with_an_unknown_setting_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("env: SumoRing-v0\nseed: 1\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"no setting \{'seed'\}"):
        importlib.import_module("training").read(path)


def test_config__may_weigh_metrics() -> None:
    run = importlib.import_module("training").read(EXAMPLES / "configs" / "sb3" / "ppo_cologne3.yaml")
    assert run.arguments["reward"] == Weighted({"queue_length": -0.1})


@pytest.mark.parametrize("config", ["sb3/sac_ring", "rllib/ppo_merge"])
def test_rival__may_be_sumo_itself(config: str) -> None:
    run = importlib.import_module("training").read(EXAMPLES / "configs" / f"{config}.yaml")
    short = replace(run, arguments={**run.arguments, "end": 60.0}, evaluation_seeds=(1, 2))
    (rival,) = short.rivals()
    assert rival.policy == "sumo"
    assert [episode.error for episode in rival.episodes] == [None, None]


@pytest.mark.parametrize("several", [False, True])
def test_train_sb3__prints_before_after_and_the_rival(
    several: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("stable_baselines3")
    config = {**SMALL_SB3, "env": "traffic_light_v0", "arguments": {**COLOGNE, "pad": True}} if several else SMALL_SB3
    said = printed("train_sb3", config, tmp_path, capsys, monkeypatch)
    for name in ("seed 0, before", "seed 0, after", "fixed"):
        assert name in said
    folder = tmp_path / "run" / "seed-0"
    assert {path.name for path in folder.iterdir()} == {"config.yaml", "curve.csv", "model.zip"}
    assert len((folder / "curve.csv").read_text().splitlines()) >= 2


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("several", [False, True])
def test_train_rllib__prints_before_after_and_the_rival(
    several: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    masked = {"env": "traffic_light_v0", "arguments": {**COLOGNE, "masked": True}, "policies": "each"}
    said = printed("train_rllib", {**SMALL_RLLIB, **(masked if several else {})}, tmp_path, capsys, monkeypatch)
    for name in ("seed 0, before", "seed 0, after", "fixed"):
        assert name in said
    folder = tmp_path / "run" / "seed-0"
    assert {path.name for path in folder.iterdir()} == {"config.yaml", "curve.csv", "before", "after"}
    *_, last = (folder / "curve.csv").read_text().splitlines()
    assert float(last.split(",")[2]) > 0
