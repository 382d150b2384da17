import math
from typing import Any, cast

import pytest

from sumo_gymnasium.metrics import name_of
from sumo_gymnasium.metrics.traffic import (
    DesiredVelocity,
    desired_velocity,
    mean_speed,
    min_delay,
    standing_vehicles,
    top_speed,
)
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles


def test_desired_velocity__of_ten_one_at_the_target() -> None:  # figure 7
    assert desired_velocity([10.0, *[0.0] * 9], 10.0) == pytest.approx(1 - math.sqrt(90) / 10)


def test_desired_velocity__is_1_at_the_target_and_0_from_twice_that_on() -> None:
    assert desired_velocity([8.0] * 5, 8.0) == 1.0
    assert desired_velocity([20.0] * 5, 8.0) == 0.0
    assert desired_velocity([], 8.0) == 0.0


def test_desired_velocity__is_0_where_someone_crashed() -> None:
    kernel = fake_vehicles({"a": FakeVehicle(speed=10.0), "b": FakeVehicle(speed=10.0)})
    assert DesiredVelocity(10.0)(kernel, "a") == 1.0
    cast(Any, kernel).vehicle.gone = {"b": "arrived"}
    assert DesiredVelocity(10.0)(kernel, "a") == 1.0
    cast(Any, kernel).vehicle.gone = {"b": "collided"}
    assert DesiredVelocity(10.0)(kernel, "a") == 0.0
    cast(Any, kernel).vehicle.gone, cast(Any, kernel).vehicle.collided = {}, ("b", "c")
    assert DesiredVelocity(10.0)(kernel, "a") == 0.0


@pytest.mark.parametrize("target", [0.0, -1.0, math.inf, math.nan])
def test_desired_velocity__takes_a_speed(target: float) -> None:
    with pytest.raises(ValueError, match="expected a speed above 0"):
        DesiredVelocity(target)


def test_desired_velocity__has_its_name() -> None:
    assert name_of(DesiredVelocity(5.0)) == "desired_velocity"


def test_traffic__is_read_over_all_vehicles() -> None:
    vehicles = {"a": FakeVehicle(speed=20.0), "b": FakeVehicle(speed=5.0), "c": FakeVehicle(speed=0.05)}
    kernel = fake_vehicles(vehicles, {"e": FakeRoad(speed=20.0), "f": FakeRoad(speed=10.0)})
    assert mean_speed(kernel, "a") == pytest.approx(25.05 / 3)
    assert standing_vehicles(kernel, "a") == 1.0
    assert top_speed(kernel) == 20.0
    assert min_delay(kernel, "a") == pytest.approx(25.05 / 20 / 3)  # 1 − Σ (20 − v) / 20 / N


def test_traffic__is_0_without_vehicles() -> None:
    kernel = fake_vehicles({})
    assert (mean_speed(kernel, ""), min_delay(kernel, ""), standing_vehicles(kernel, "")) == (0.0, 0.0, 0.0)
