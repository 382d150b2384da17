import pytest

from sumo_gymnasium.metrics import name_of
from sumo_gymnasium.metrics.neighbours import WithNeighbours, neighbours
from sumo_gymnasium.metrics.signal import queue_length
from sumo_gymnasium.testing.fakes import FakeLane, FakeSignal, fake_kernel

LANES = {name: FakeLane(waiting=(0.0,) * queue, queue=queue) for name, queue in {"a": 1, "b": 4, "c": 8}.items()}
KERNEL = fake_kernel(
    LANES,
    {
        "A": FakeSignal(incoming_lanes=("a",), neighbours=("B", "C", "dark")),  # "dark" has no program
        "B": FakeSignal(incoming_lanes=("b",), neighbours=("A",)),
        "C": FakeSignal(incoming_lanes=("c",)),
    },
)


def test_neighbours__have_a_program() -> None:
    assert neighbours(KERNEL, "A", most=4) == ("B", "C")
    assert neighbours(KERNEL, "A", most=1) == ("B",)


def test_with_neighbours__adds_their_discounted_mean() -> None:
    assert WithNeighbours("queue_length", discount=0.5)(KERNEL, "A") == 1 + 0.5 * (4 + 8) / 2
    assert WithNeighbours(queue_length, discount=1)(KERNEL, "B") == 4 + 1


def test_with_neighbours__is_the_metric_itself_for_a_lonely_signal() -> None:
    assert WithNeighbours("queue_length")(KERNEL, "C") == 8


def test_with_neighbours__has_a_name_of_its_own() -> None:
    assert name_of(WithNeighbours("queue_length")) == "queue_length_with_neighbours"


def test_with_neighbours__leaves_out_the_farther_ones() -> None:
    assert WithNeighbours("queue_length", discount=0.5, most=1)(KERNEL, "A") == 1 + 0.5 * 4
    with pytest.raises(ValueError, match="most=0: expected a whole number"):
        WithNeighbours("queue_length", most=0)


@pytest.mark.parametrize("discount", [-0.1, 1.1, float("nan")])
def test_with_neighbours__takes_a_discount_from_0_to_1(discount: float) -> None:
    with pytest.raises(ValueError, match="expected a number from 0 to 1"):
        WithNeighbours("queue_length", discount)
