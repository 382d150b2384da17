from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from sumo_gymnasium.observations.cells import PositionMatrix
from sumo_gymnasium.observations.combined import Concatenate, Stack
from sumo_gymnasium.observations.lanes import LaneCounts
from sumo_gymnasium.testing.fakes import FakeLane, FakeSignal, FakeSimulation, fake_kernel
from tests.conftest import Make


class Text:
    """An observation that is no array."""

    def space(self, kernel: Any, agent: str) -> spaces.Text:
        return spaces.Text(3)

    def __call__(self, kernel: Any, agent: str) -> str:
        return "abc"


def counting(count: int, step: int = 0, kernel: Any = None) -> Any:
    """A kernel with `count` vehicles on one lane, in a simulation step."""
    lanes = {"in": FakeLane(waiting=(0.0,) * count, mean_speed=5.0)}
    if kernel is None:
        kernel = fake_kernel(lanes, {"A": FakeSignal(incoming_lanes=("in",)), "B": FakeSignal(incoming_lanes=("in",))})
    kernel.network.lanes = lanes
    kernel.simulation = FakeSimulation(step=step)
    return kernel


def test_concatenate__puts_values_and_bounds_side_by_side() -> None:
    kernel = counting(2)
    both = Concatenate("phase", PositionMatrix(range=15), LaneCounts())
    values, space = both(kernel, "A"), both.space(kernel, "A")
    assert values.tolist() == [1, 0, 0, 0.5, -1, 2]
    assert space.low.tolist() == [0, 0, 0, -1, -1, 0]
    assert space.high.tolist() == [1, 1, 1, 1, 1, np.inf]
    assert space.contains(values)


def test_concatenate__needs_something() -> None:
    with pytest.raises(ValueError, match="nothing to put side by side"):
        Concatenate()


@pytest.mark.parametrize("make_one", [Concatenate, Stack])
def test_combinations__take_names_and_arrays_only(make_one: Any) -> None:
    with pytest.raises(ValueError, match="no observation 'wav'; did you mean 'wave'"):
        make_one("wav")
    with pytest.raises(TypeError, match="has no 'space'"):
        make_one(len)
    with pytest.raises(ValueError, match="expected a Box"):
        make_one(Text()).space(counting(0), "A")


def test_stack__is_filled_with_the_first_and_moves_on_once_a_step() -> None:
    stack = Stack("lane_counts", frames=3)
    kernel = counting(1)
    assert stack(kernel, "A").tolist() == [[1], [1], [1]]
    counting(2, step=5, kernel=kernel)
    assert stack(kernel, "A").tolist() == [[1], [1], [2]]
    counting(7, step=5, kernel=kernel)
    assert stack(kernel, "A").tolist() == [[1], [1], [2]]  # asked again in the same step
    counting(4, step=10, kernel=kernel)
    values = stack(kernel, "A")
    assert values.tolist() == [[1], [2], [4]]
    assert stack.space(kernel, "A").contains(values)


def test_stack__remembers_for_each_agent_and_gives_fresh_arrays() -> None:
    stack = Stack(LaneCounts(), frames=2)
    kernel = counting(1)
    stack(kernel, "A")[:] = 9
    counting(2, step=5, kernel=kernel)
    assert stack(kernel, "A").tolist() == [[1], [2]]
    assert stack(kernel, "B").tolist() == [[2], [2]]


@pytest.mark.parametrize("frames", [0, -1, 2.0, "4"])
def test_stack__takes_a_whole_number_of_frames(frames: Any) -> None:
    with pytest.raises(ValueError, match="expected a whole number of at least 1"):
        Stack("wave", frames)


@pytest.mark.parametrize("host", ["inline", "worker"])
def test_stack__begins_anew_at_reset_and_holds_one_frame_a_decision(host: str, make: Make) -> None:
    env = make(observation=Stack("phase_and_queues", frames=3), host=host)
    for _ in range(2):
        frame, _ = env.reset(seed=1)
        assert (frame == frame[0]).all()
        for _ in range(20):
            before = frame
            assert env.unwrapped.query(Stack("phase_and_queues", frames=3), env.unwrapped.agent).tolist() == (
                before.tolist()
            )
            frame, *_ = env.step(0)
            assert frame[:-1].tolist() == before[1:].tolist()
        assert not (frame == frame[0]).all()
    env.close()
