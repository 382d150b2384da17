"""Each controller on real traffic."""

import pickle

import pytest

from sumo_gymnasium.controllers import CONTROLLERS, action_of
from sumo_gymnasium.names import resolve
from sumo_gymnasium.testing.checks import SignalWatch
from tests.conftest import SMALL, Make


@pytest.mark.parametrize("name", CONTROLLERS)
def test_controller__controls_and_keeps_the_invariants(name: str, make: Make) -> None:
    controller, watch = resolve("controller", CONTROLLERS, name), SignalWatch("center")
    env = make("intersection-uniform", end=300, action=action_of(controller), hooks=[watch], host="inline")
    _, info = env.reset(seed=1)
    phases, truncated = set(), False
    while not truncated:
        *_, truncated, info = env.step(env.unwrapped.act(controller))
        phases.add(info["phase"])
    assert watch.steps == 300
    assert phases == set(range(4))
    assert info["kpis"]["completed"]["vehicles"] > 50


@pytest.mark.parametrize("name", CONTROLLERS)
def test_controller__does_the_same_in_a_worker(name: str, make: Make) -> None:
    controller = CONTROLLERS[name]
    kpis = []
    for host in ("inline", "worker"):
        env = make(SMALL, end=120, action=action_of(controller), host=host)
        env.reset(seed=1)
        truncated = False
        while not truncated:
            *_, truncated, info = env.step(env.unwrapped.act(controller))
        kpis.append(info["kpis"])
        env.close()
    assert kpis[0] == kpis[1]


@pytest.mark.parametrize("name", CONTROLLERS)
def test_controller__forgets_at_reset(name: str, make: Make) -> None:
    controller = CONTROLLERS[name]
    env = make(SMALL, end=120, action=action_of(controller), host="inline")
    shown = []
    for _ in range(2):
        env.reset(seed=1)
        truncated, phases = False, []
        while not truncated:
            *_, truncated, info = env.step(env.unwrapped.act(controller))
            phases.append(info["phase"])
        shown.append(phases)
    assert shown[0] == shown[1]


@pytest.mark.parametrize("name", CONTROLLERS)
def test_controller__is_a_frozen_value(name: str) -> None:
    controller = CONTROLLERS[name]
    assert pickle.loads(pickle.dumps(controller)) == controller
    assert hash(controller) == hash(pickle.loads(pickle.dumps(controller)))
    assert hash(controller) is not None
