from typing import Any

import pytest

from sumo_gymnasium.errors import NotRunning
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.simulation import SimulationKernel
from tests.conftest import SMALL, STEP_LENGTH, Make


def test_time__is_counted_in_steps_and_does_not_drift() -> None:
    simulation = SimulationKernel(begin=25200.0, end=25230.0, step_length=0.1)
    times = []
    while not simulation.over:
        simulation.update(1)
        times.append(simulation.time)
    assert times == [round(25200 + step / 10, 1) for step in range(1, 301)]


def test_time__is_sumos(make: Make) -> None:
    env = make(str(STEP_LENGTH / "c-step-0.1.sumocfg"), end=30)
    env.reset(seed=1)
    for _ in range(5):
        env.step(0)
        ours, theirs = env.unwrapped.query(
            lambda kernel: (kernel.simulation.time, kernel._backend.simulation.getTime())
        )
        assert ours == round(theirs, 3)


def check_time(kernel: Kernel) -> None:
    assert kernel.simulation.time == round(kernel._backend.simulation.getTime(), 3)


def test_end__is_a_whole_number_of_steps(make: Make) -> None:
    with pytest.raises(ValueError, match=r"end - begin=10.5 s is no multiple of the step length 1 s"):
        make(SMALL, end=10.5)


class Events:
    """A hook that adds up the events of each step."""

    def __init__(self) -> None:
        self.departed: list[str] = []
        self.arrived: list[str] = []

    def __call__(self, kernel: Kernel) -> None:
        self.departed += kernel.simulation.departed
        self.arrived += kernel.simulation.arrived
        assert kernel.simulation.teleported == ()
        assert kernel.simulation.collided == ()


@pytest.mark.parametrize("backend", ["libsumo", "traci"])
def test_events__equal_the_kpis(backend: str, make: Make) -> None:
    events = Events()
    env = make(end=200, backend=backend, hooks=[events])
    env.reset(seed=1)
    truncated, info = False, {}
    while not truncated:
        *_, truncated, info = env.step(env.action_space.sample())
    assert len(events.departed) == info["kpis"]["inserted"]["vehicles"]
    assert len(events.arrived) == info["kpis"]["completed"]["vehicles"]


def test_parameters__and_window(make: Make) -> None:
    env = make()
    env.reset(seed=1)
    assert env.unwrapped.query(lambda kernel: kernel.simulation.parameter("no such key")) == ""
    with pytest.raises(ValueError, match="gui=True"):
        env.unwrapped.query(zoom)


def zoom(kernel: Kernel) -> Any:
    kernel.simulation.zoom(200)


def test_events__need_a_running_simulation() -> None:
    with pytest.raises(NotRunning):
        _ = SimulationKernel(0.0, 10.0, 1.0).departed
