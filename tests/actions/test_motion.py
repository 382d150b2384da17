from typing import Any, cast

import numpy as np
import pytest

from sumo_gymnasium.actions.motion import Acceleration, MaxSpeed, TargetSpeed
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.testing.fake_vehicles import FakeVehicle, fake_vehicles


def commands(kernel: Kernel) -> Any:
    return cast(Any, kernel).vehicle.commands


@pytest.mark.parametrize(
    ("action", "command"),
    [
        (Acceleration(-3, 3), "accelerate"),
        (TargetSpeed(0, 3), "drive"),
        (MaxSpeed(1, 3), "limit_speed"),
    ],
)
def test_motion__is_a_box_and_reaches_the_vehicle(action: Any, command: str) -> None:
    kernel = fake_vehicles({"a": FakeVehicle()})
    given = np.array([1.5], np.float32)
    assert action.space(kernel, "a").contains(given)
    for value in (given, 2.5, 7.0, -7.0):
        action.apply(kernel, "a", value)
    lowest = float(action.space(kernel, "a").low[0])
    assert commands(kernel) == [(command, "a", value) for value in (1.5, 2.5, 3.0, lowest)]


def test_acceleration__may_have_no_bounds() -> None:
    kernel = fake_vehicles({"a": FakeVehicle()})
    Acceleration(-np.inf, np.inf).apply(kernel, "a", -12.0)
    assert commands(kernel) == [("accelerate", "a", -12.0)]


def test_acceleration__says_what_came_of_it() -> None:
    kernel = fake_vehicles({"a": FakeVehicle(requested=3.0, applied=2.6, realised=2.5)})
    assert Acceleration().info(kernel, "a") == {"requested": 3.0, "applied": 2.6, "realised": 2.5}


def test_target_speed__says_what_was_asked_for() -> None:
    kernel = fake_vehicles({"a": FakeVehicle()})
    assert TargetSpeed().info(kernel, "a") == {"target_speed": None}
    TargetSpeed().apply(kernel, "a", 7.0)
    assert TargetSpeed().info(kernel, "a") == {"target_speed": 7.0}


@pytest.mark.parametrize("wrong", [[1.0, 2.0], [], float("nan")])
def test_motion__takes_one_number(wrong: Any) -> None:
    with pytest.raises(ValueError, match="expected one number from -3 to 3"):
        Acceleration().apply(fake_vehicles({"a": FakeVehicle()}), "a", wrong)


@pytest.mark.parametrize(
    "wrong",
    [lambda: Acceleration(1, 1), lambda: TargetSpeed(-1, 5), lambda: TargetSpeed(0, np.inf), lambda: MaxSpeed(0, 5)],
)
def test_motion__refuses_bounds_that_cannot_be(wrong: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        wrong()
