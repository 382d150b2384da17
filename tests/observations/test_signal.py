import numpy as np
import pytest

from sumo_gymnasium.config import SignalTiming
from sumo_gymnasium.observations.signal import PhaseAndQueues
from sumo_gymnasium.testing.fakes import FakeLane, FakeSignal, fake_kernel

LANES = {
    "north": FakeLane(length=75.0, waiting=(0.0, 0.0, 9.0), queue=1, vehicle_length=5.0),
    "short": FakeLane(length=6.0, waiting=(0.0,), queue=1, vehicle_length=16.5),
    "empty": FakeLane(),
}


def observe(green_time: float) -> np.ndarray:
    signal = FakeSignal(phases=("Gr", "rG", "gg"), phase=2, green_time=green_time, incoming_lanes=tuple(LANES))
    kernel = fake_kernel(LANES, {"A": signal}, timing=SignalTiming(min_green=5))
    observation = PhaseAndQueues()
    values = observation(kernel, "A")
    assert observation.space(kernel, "A").contains(values)
    return values


def test_phase_and_queues__on_hand_made_numbers() -> None:
    density, queue = 3 * (5 + 2.5) / 75, 1 * (5 + 2.5) / 75
    expected = [0, 0, 1, 1, density, 1, 0, queue, 1, 0]
    assert observe(green_time=5.0) == pytest.approx(expected)


def test_phase_and_queues__says_when_min_green_is_not_over() -> None:
    assert observe(green_time=4.9)[3] == 0.0


def test_phase_and_queues__is_fresh_each_time() -> None:
    first = observe(5.0)
    first[:] = -1
    assert observe(5.0)[0] == 0.0
