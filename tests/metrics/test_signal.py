import pytest

from sumo_gymnasium.metrics.signal import accumulated_waiting_time, pressure, queue_length, relative_speed
from sumo_gymnasium.testing.fakes import FakeLane, FakeSignal, fake_kernel

LANES = {
    "north": FakeLane(waiting=(0.0, 3.0, 12.0), queue=2, mean_speed=4.0, speed=10.0),
    "east": FakeLane(waiting=(7.0,), queue=1, mean_speed=0.0, speed=20.0),
    "west": FakeLane(),
    "out": FakeLane(waiting=(0.0, 0.0), queue=0),
}
KERNEL = fake_kernel(LANES, {"A": FakeSignal(incoming_lanes=("north", "east", "west"), outgoing_lanes=("out",))})
NOBODY = fake_kernel(LANES, {"A": FakeSignal(incoming_lanes=("west",), outgoing_lanes=("west",))})


def test_queue_length__adds_up_the_incoming_lanes() -> None:
    assert queue_length(KERNEL, "A") == 3
    assert queue_length(NOBODY, "A") == 0


def test_pressure__is_incoming_less_outgoing() -> None:
    assert pressure(KERNEL, "A") == 4 - 2


def test_accumulated_waiting_time__adds_up_vehicles() -> None:
    assert accumulated_waiting_time(KERNEL, "A") == 22.0
    assert accumulated_waiting_time(NOBODY, "A") == 0.0


def test_relative_speed__is_weighted_by_vehicles_and_1_without() -> None:
    assert relative_speed(KERNEL, "A") == pytest.approx((3 * 0.4 + 1 * 0.0) / 4)
    assert relative_speed(NOBODY, "A") == 1.0
