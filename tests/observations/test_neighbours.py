import numpy as np
import pytest

from sumo_gymnasium.observations.cells import PositionMatrix
from sumo_gymnasium.observations.neighbours import Neighbours, Slots
from sumo_gymnasium.testing.fakes import FakeLane, FakeSignal, fake_kernel

LANES = {
    **{lane: FakeLane(waiting=(0.0,) * (place + 1)) for place, lane in enumerate("abcd")},
    "far": FakeLane(length=100.0, waiting=(0.0,), positions=(3.0,)),
}
KERNEL = fake_kernel(
    LANES,
    {
        "A": FakeSignal(incoming_lanes=("a",), neighbours=("B", "C")),
        "B": FakeSignal(incoming_lanes=("b",), neighbours=("A",)),
        "C": FakeSignal(incoming_lanes=("c", "d", "far"), neighbours=("A",)),
        "D": FakeSignal(incoming_lanes=("d",)),
    },
)
COUNTS = Neighbours("lane_counts", discount=0.5)


def test_neighbours__stand_in_slots_of_equal_size() -> None:
    assert COUNTS.slots(KERNEL) == Slots(most=2, width=3)
    assert COUNTS(KERNEL, "A").tolist() == [1, 1.0, 0, 0, 1.5, 2.0, 0.5]
    assert COUNTS(KERNEL, "B").tolist() == [2, 0.5, 0, 0, 0, 0, 0]
    assert COUNTS(KERNEL, "D").tolist() == [4, 0, 0, 0, 0, 0, 0]


def test_neighbours__leave_out_the_farther_ones() -> None:
    assert Neighbours("lane_counts", discount=0.5, most=1)(KERNEL, "A").tolist() == [1, 1.0, 0, 0]


@pytest.mark.parametrize("signal", "ABCD")
@pytest.mark.parametrize(
    "observation", [COUNTS, Neighbours(PositionMatrix(range=15), 0.3), Neighbours("phase_and_queues", 1)]
)
def test_neighbours__are_in_their_space(observation: Neighbours, signal: str) -> None:
    values = observation(KERNEL, signal)
    assert values.dtype == np.float32
    assert observation.space(KERNEL, signal).contains(values)


def test_neighbours__have_discounted_bounds_and_none_where_there_is_none() -> None:
    space = Neighbours(PositionMatrix(range=7.5), 0.5).space(KERNEL, "B")
    assert space.low.tolist() == [-1, -0.5, 0, 0, 0, 0, 0]
    assert space.high.tolist() == [1, 0.5, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("discount", [0, -0.1, 1.1, float("nan")])
def test_neighbours__take_a_discount_above_0_and_up_to_1(discount: float) -> None:
    with pytest.raises(ValueError, match="discount="):
        Neighbours("wave", discount)
