import pytest

from sumo_gymnasium.metrics.energy import fuel, power, power_of, total_power
from sumo_gymnasium.testing.fake_vehicles import FakeVehicle, fake_vehicles


def test_power__is_nothing_at_rest() -> None:
    assert power_of(0.0, 3.0) == 0.0


def test_power__is_that_of_the_formula() -> None:
    # 1200 · 10 · 1 + 1200 · 9.81 · 0.005 · 10 + ½ · 1.225 · 2.6 · 0.3 · 1000
    assert power_of(10.0, 1.0) == pytest.approx(12000 + 588.6 + 477.75)


def test_power__braking_costs_nothing_more() -> None:
    assert power_of(10.0, -3.0) == power_of(10.0, 0.0) > 0


def test_power__is_the_vehicle_s_own_or_that_of_all() -> None:
    kernel = fake_vehicles({"a": FakeVehicle(speed=10.0, acceleration=1.0, fuel=2.0), "b": FakeVehicle(speed=20.0)})
    assert power(kernel, "a") == power_of(10.0, 1.0)
    assert total_power(kernel, "a") == power_of(10.0, 1.0) + power_of(20.0, 0.0)
    assert (fuel(kernel, "a"), fuel(kernel, "b")) == (2.0, 0.0)
