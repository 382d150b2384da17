import math
from typing import Any, cast

import pytest

from sumo_gymnasium.controllers.linear import AdaptiveCruise, Bilateral, CarFollowing
from sumo_gymnasium.kernels.neighbours import Neighbour
from sumo_gymnasium.testing.fake_vehicles import FakeVehicle, fake_vehicles
from sumo_gymnasium.testing.fakes import FakeSimulation


def test_cfm__adds_up_gap_speed_and_cruising() -> None:
    model = CarFollowing(2.0, 3.0, 4.0, desired_gap=1.0, desired_speed=8.0)
    assert model.acceleration(5.0, 6.0, 11.0) == 2 * 10 + 3 * 1 + 4 * 3
    assert model.acceleration(5.0, 5.0, math.inf) == 4 * 3


def test_bcm__is_at_rest_in_the_middle() -> None:
    assert Bilateral().acceleration(8.0, 9.0, 10.0, 7.0, 10.0) == 0.0


def test_bcm__looks_ahead_and_behind() -> None:
    model = Bilateral(2.0, 3.0, 4.0, desired_speed=8.0)
    assert model.acceleration(5.0, 6.0, 11.0, 7.0, 4.0) == 2 * 7 + 3 * (1 - (5 - 7)) + 4 * 3
    assert model.acceleration(5.0, 6.0, 11.0, 5.0, math.inf) == 4 * 3
    assert model.acceleration(5.0, 5.0, math.inf, 7.0, 4.0) == 4 * 3


def test_bcm__reads_both_neighbours() -> None:
    vehicle = FakeVehicle(speed=5.0, leader=Neighbour("b", 11.0), follower=Neighbour("c", 4.0))
    kernel = fake_vehicles({"a": vehicle, "b": FakeVehicle(speed=6.0), "c": FakeVehicle(speed=7.0)})
    assert Bilateral()(kernel, "a") == Bilateral().acceleration(5.0, 6.0, 11.0, 7.0, 4.0)
    vehicle.follower = None
    assert Bilateral()(kernel, "a") == 3.0


def test_lac__wants_a_constant_time_gap() -> None:
    assert AdaptiveCruise().wanted(10.0, 10.0, 10.0) == 0.0
    assert AdaptiveCruise().wanted(10.0, 12.0, 20.0) == pytest.approx(0.3 * 10 + 0.4 * 2)
    assert AdaptiveCruise().wanted(10.0, 10.0, math.inf) == 0.0


def test_lac__lags_behind_what_it_wants() -> None:
    vehicles = {"a": FakeVehicle(speed=10.0, leader=Neighbour("b", 20.0)), "b": FakeVehicle(speed=10.0)}
    kernel = fake_vehicles(vehicles, simulation=FakeSimulation(time=0.0, step_length=0.1))
    model = AdaptiveCruise(lag=0.4)
    assert model(kernel, "a") == pytest.approx(3 * 0.25)
    cast(Any, kernel).simulation = FakeSimulation(time=0.2, step_length=0.1)
    assert model(kernel, "a") == pytest.approx(0.75 + (3 - 0.75) * 0.5)
    cast(Any, kernel).simulation = FakeSimulation(time=9.0, step_length=0.1)
    assert model(kernel, "a") == pytest.approx(3)  # and not beyond


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [(CarFollowing, {"desired_speed": 0.0}), (Bilateral, {"desired_speed": -1.0}), (AdaptiveCruise, {"lag": 0.0})],
)
def test_linear__refuses_what_cannot_be(kind: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        kind(**wrong)
