import math
from pathlib import Path

import pytest

from sumo_gymnasium.kernels.modes import Modes, SpeedMode
from sumo_gymnasium.kernels.safety import EulerSafeSpeed, FeasibleAcceleration, braking_distance, speed_within
from tests.kernels.roads import line, running, vehicle


def driven(speed: float, deceleration: float, step_length: float) -> float:
    """Step by step."""
    metres = 0.0
    while speed > 0:
        metres += speed * step_length
        speed -= deceleration * step_length
    return metres


@pytest.mark.parametrize("speed", [0.0, 0.3, 4.5, 5.0, 13.7, 30.0])
@pytest.mark.parametrize("step_length", [0.1, 0.5, 1.0])
def test_braking_distance__is_what_is_driven_step_by_step(speed: float, step_length: float) -> None:
    assert braking_distance(speed, 4.5, step_length) == pytest.approx(driven(speed, 4.5, step_length))


@pytest.mark.parametrize("speed", [0.3, 4.4, 13.7, 30.0])
@pytest.mark.parametrize("step_length", [0.1, 0.5, 1.0])
def test_speed_within__is_the_inverse_of_braking_distance(speed: float, step_length: float) -> None:
    distance = braking_distance(speed, 4.5, step_length)
    assert speed_within(distance, 4.5, step_length) == pytest.approx(speed)
    assert speed_within(0, 4.5, step_length) == speed_within(-3, 4.5, step_length) == 0


@pytest.mark.parametrize("filtered", [True, False])
def test_euler_safe_speed__keeps_an_unchecked_vehicle_from_colliding(filtered: bool, tmp_path: Path) -> None:
    both = vehicle("a", "e0 e1", departSpeed=20, departPos=20) + vehicle("b", "e0 e1", departSpeed=20, departPos=80)
    with running(tmp_path, line(tmp_path), both, step_length=0.1, decision_interval=1) as kernel:
        read = kernel.vehicle
        read.modes({"car": Modes(speed=SpeedMode.AGGRESSIVE)})
        read.watching = True
        if filtered:
            read.filters("a", (EulerSafeSpeed(4.5), FeasibleAcceleration(2.6, 4.5)))
        read.accelerate("a", 2.6)
        read.accelerate("b", -4.5)
        least = math.inf
        for _ in range(120):
            kernel.step()
            leader = read.leader("a")
            least = min(least, leader.gap if leader else -math.inf)
            if read.collided:
                break
        assert (read.gone == {}) is filtered
        if filtered:
            assert read.min_gap("a") - 1e-6 <= least < read.min_gap("a") + 0.5
            assert read.requested("a") == 2.6
            assert read.filtered("a") is not None


def test_filters__refuse_numbers_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="deceleration=0"):
        EulerSafeSpeed(0)
    with pytest.raises(ValueError, match="more than 0"):
        FeasibleAcceleration(2, -1)
