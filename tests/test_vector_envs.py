"""An episode's KPIs outlive the auto-reset of every vector env."""

from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from sumo_gymnasium.evaluation import evaluate
from tests.conftest import SMALL, Make

ENDS = (20, 30)  # s: the envs end at different steps
Env = gymnasium.Env[Any, Any]


def small(end: int) -> Env:
    return gymnasium.make("SumoTrafficLight-v0", scenario=SMALL, end=end)


def limited(decisions: int) -> Env:
    return TimeLimit(small(300), decisions)


@pytest.fixture
def expected() -> list[dict[str, Any]]:
    """The KPIs of seeds 1 and 2."""
    return [
        dict(evaluate(lambda _: 0, SMALL, [seed], end=end).episodes[0].kpis)
        for seed, end in zip((1, 2), ENDS, strict=True)
    ]


def picked(infos: dict[str, Any], env: int) -> dict[str, Any]:
    """What one env had in its dict, out of the arrays that Gymnasium makes of all dicts."""
    found = {name: value for name, value in infos.items() if not name.startswith("_") and infos[f"_{name}"][env]}
    return {name: picked(value, env) if isinstance(value, dict) else value[env] for name, value in found.items()}


@pytest.mark.parametrize("vector", [SyncVectorEnv, AsyncVectorEnv])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_gymnasium__has_them_in_info_of_the_last_step(
    vector: Callable[..., Any], mode: AutoresetMode, expected: list[dict[str, Any]], make: Make
) -> None:
    envs = vector([partial(small, end) for end in ENDS], autoreset_mode=mode)
    envs.reset(seed=[1, 2])
    got: dict[int, dict[str, Any]] = {}
    for _ in range(6):
        *_, truncated, infos = envs.step(np.zeros(2, dtype=int))
        last = infos.get("final_info", {}) if mode is AutoresetMode.SAME_STEP else infos
        for env in np.flatnonzero(truncated):
            got.setdefault(int(env), picked(last["kpis"], env))
        if mode is AutoresetMode.DISABLED and truncated.any():
            envs.reset(options={"reset_mask": truncated})
    envs.close()
    assert [got[0], got[1]] == expected


@pytest.mark.parametrize("name", ["DummyVecEnv", "SubprocVecEnv"])
def test_sb3__has_them_in_info_of_the_last_step(name: str, expected: list[dict[str, Any]], make: Make) -> None:
    vec_env = pytest.importorskip("stable_baselines3.common.vec_env")
    envs = getattr(vec_env, name)([partial(small, end) for end in ENDS])
    envs.seed(1)
    envs.reset()
    got: dict[int, dict[str, Any]] = {}
    for _ in range(6):
        _, _, dones, infos = envs.step(np.zeros(2, dtype=int))
        for env in np.flatnonzero(dones):
            got.setdefault(int(env), infos[env]["kpis"])
    envs.close()
    assert [got[0], got[1]] == expected


@pytest.mark.parametrize("vector", [SyncVectorEnv, AsyncVectorEnv])
def test_time_limit__leaves_them_in_last_episode(
    vector: Callable[..., Any], expected: list[dict[str, Any]], make: Make
) -> None:
    envs = vector([partial(limited, 4), partial(limited, 6)], autoreset_mode=AutoresetMode.SAME_STEP)
    envs.reset(seed=[1, 2])
    for _ in range(6):
        envs.step(np.zeros(2, dtype=int))
    episodes = envs.get_attr("last_episode")
    envs.close()
    assert [episode.kpis for episode in episodes] == expected


@pytest.mark.parametrize("name", ["DummyVecEnv", "SubprocVecEnv"])
def test_sb3_time_limit__leaves_them_in_last_episode(name: str, expected: list[dict[str, Any]], make: Make) -> None:
    vec_env = pytest.importorskip("stable_baselines3.common.vec_env")
    envs = getattr(vec_env, name)([partial(limited, 4), partial(limited, 6)])
    envs.seed(1)
    envs.reset()
    for _ in range(6):
        envs.step(np.zeros(2, dtype=int))
    episodes = envs.get_attr("last_episode")
    envs.close()
    assert [episode.kpis for episode in episodes] == expected
