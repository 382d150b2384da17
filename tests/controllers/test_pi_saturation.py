import math
from typing import Any, cast

import pytest

from sumo_gymnasium.controllers.ahead import Ahead
from sumo_gymnasium.controllers.pi_saturation import PiSaturation
from sumo_gymnasium.kernels.neighbours import Neighbour
from sumo_gymnasium.testing.fake_vehicles import FakeVehicle, fake_vehicles
from sumo_gymnasium.testing.fakes import FakeSimulation


def test_pi__follows_its_leader_where_it_is_near() -> None:
    assert PiSaturation().speed(Ahead(5.0, 4.0, 4.0), mean_speed=9.0, commanded=1.0) == 4.0  # α = 0, β = 1


def test_pi__drives_at_its_mean_where_it_has_room() -> None:
    # α = 1, β = ½, and 1 m/s faster from 30 m on
    assert PiSaturation().speed(Ahead(5.0, 4.0, 7.0), mean_speed=6.0, commanded=2.0) == pytest.approx((6 + 2) / 2)
    assert PiSaturation().speed(Ahead(5.0, 4.0, 18.5), mean_speed=6.0, commanded=2.0) == pytest.approx((6.5 + 2) / 2)
    assert PiSaturation().speed(Ahead(5.0, 4.0, 99.0), mean_speed=6.0, commanded=2.0) == pytest.approx((7 + 2) / 2)
    assert PiSaturation().speed(Ahead(5.0, 5.0, math.inf), mean_speed=6.0, commanded=2.0) == pytest.approx((7 + 2) / 2)


def test_pi__blends_between_the_two() -> None:
    # s = 5: α = ½, β = ¾
    speed = PiSaturation().speed(Ahead(5.0, 4.0, 5.0), mean_speed=6.0, commanded=2.0)
    assert speed == pytest.approx(0.75 * (0.5 * 6 + 0.5 * 4) + 0.25 * 2)


def test_pi__a_leader_that_leaves_makes_the_safe_gap_longer() -> None:
    # Δv = 4: max(8, 4) = 8, so that α = ½ at 9 m
    speed = PiSaturation().speed(Ahead(1.0, 5.0, 9.0), mean_speed=3.0, commanded=1.0)
    assert speed == pytest.approx(0.75 * (0.5 * (3 + 2 / 23) + 0.5 * 5) + 0.25 * 1)


def test_pi__remembers_its_speed_for_38_s() -> None:
    vehicle = FakeVehicle(leader=Neighbour("b", 7.0))
    kernel = fake_vehicles({"a": vehicle, "b": FakeVehicle()})
    controller = PiSaturation()
    for second in range(100):
        vehicle.speed = 30.0 if second < 50 else float(second % 2)
        cast(Any, kernel).simulation = FakeSimulation(time=float(second))
        controller(kernel, "a")
        controller(kernel, "a")  # asked twice in a step, it counts once
    known = [speed for _, speed in kernel.memory(controller, "a")["speeds"]]
    assert len(known) == 38
    assert sum(known) / 38 == 0.5


def test_pi__begins_at_its_own_speed() -> None:
    kernel = fake_vehicles({"a": FakeVehicle(speed=6.0, leader=Neighbour("b", 7.0)), "b": FakeVehicle(speed=6.0)})
    assert PiSaturation()(kernel, "a") == 6.0


def test_pi__needs_a_memory() -> None:
    with pytest.raises(ValueError, match="memory=0: expected"):
        PiSaturation(memory=0)
