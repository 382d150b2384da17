import numpy as np
import pytest

from sumo_gymnasium.config import SignalTiming
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.observations.lanes import Drq, LaneCounts, Phase
from sumo_gymnasium.scenarios.net import Link
from sumo_gymnasium.testing.fakes import FakeLane, FakeSignal, fake_kernel

LANES = {
    "north": FakeLane(waiting=(0.0, 4.0, 9.0), queue=2, mean_speed=3.0),
    "east": FakeLane(waiting=(7.0,), queue=1, mean_speed=0.0),
    "empty": FakeLane(),
}
LINKS = tuple(
    Link(index, origin, "out", "", "s", False) for index, origin in enumerate(("north", "east", "east", "empty"))
)


def kernel(green_time: float = 0.0, state: str = "yrgG") -> Kernel:
    signal = FakeSignal(
        phases=("Grrr", "rGrr", "rrgG"),
        phase=2,
        green_time=green_time,
        incoming_lanes=tuple(LANES),
        links=LINKS,
        state=state,
    )
    return fake_kernel(LANES, {"A": signal}, timing=SignalTiming(min_green=5))


@pytest.mark.parametrize(("green_time", "over"), [(4.9, 0.0), (5.0, 1.0)])
def test_phase__is_one_hot_and_says_whether_min_green_is_over(green_time: float, over: float) -> None:
    values = Phase()(kernel(green_time), "A")
    assert values.tolist() == [0, 0, 1, over]
    assert Phase().space(kernel(), "A").contains(values)


def test_lane_counts__stand_in_order_of_the_lanes() -> None:
    values = LaneCounts()(kernel(), "A")
    assert values.tolist() == [3, 1, 0]
    assert LaneCounts().space(kernel(), "A").contains(values)


def test_drq__has_five_values_a_lane() -> None:
    values = Drq()(kernel(), "A")
    north, east, empty = [0, 1, 13, 2, 9], [1, 0, 7, 1, 0], [1, 0, 0, 0, 0]
    assert values.tolist() == [*north, *east, *empty]
    assert Drq().space(kernel(), "A").contains(values)


def test_drq__is_divided_by_what_resco_divides_by() -> None:
    values = Drq(vehicles=28, speed=20)(kernel(), "A")
    assert values[:5] == pytest.approx([0, 1 / 28, 13 / 28, 2 / 28, 9 / 20 / 28])
    assert values[5] == 1  # green is not divided


def test_drq__sees_no_green_in_yellow() -> None:
    assert Drq()(kernel(state="yyyr"), "A")[::5].tolist() == [0, 0, 0]


@pytest.mark.parametrize("numbers", [(0.0, 1.0), (1.0, -1.0), (np.nan, 1.0)])
def test_drq__takes_positive_numbers(numbers: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="expected positive numbers"):
        Drq(*numbers)
