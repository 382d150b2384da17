import math
from typing import Any, cast

import pytest

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.neighbours import Neighbour
from sumo_gymnasium.metrics.safety import collided, drac, time_gap, time_gap_penalty, time_to_collision
from sumo_gymnasium.testing.fake_vehicles import FakeVehicle, fake_vehicles


def pair(speed: float, leader_speed: float, gap: float) -> Kernel:
    return fake_vehicles({"a": FakeVehicle(speed=speed, leader=Neighbour("b", gap)), "b": FakeVehicle(leader_speed)})


def test_time_to_collision__is_gap_over_closing_speed() -> None:
    assert time_to_collision(pair(15.0, 10.0, 20.0), "a") == 4.0


@pytest.mark.parametrize("kernel", [pair(10.0, 10.0, 20.0), pair(10.0, 12.0, 1.0), pair(10.0, 9.99, 50.0)])
def test_time_to_collision__is_at_most_100(kernel: Kernel) -> None:
    assert time_to_collision(kernel, "a") == 100.0
    assert time_to_collision(kernel, "b") == 100.0  # nobody ahead


def test_safety__of_a_leader_that_has_gone_is_that_of_nobody() -> None:
    kernel = fake_vehicles({"a": FakeVehicle(leader=Neighbour("gone", 5.0))})
    assert (time_to_collision(kernel, "a"), drac(kernel, "a"), time_gap(kernel, "a")) == (100.0, 0.0, 100.0)


def test_drac__is_half_the_squared_closing_speed_over_the_gap() -> None:
    assert drac(pair(20.0, 10.0, 25.0), "a") == 2.0
    assert drac(pair(10.0, 10.0, 25.0), "a") == 0.0
    assert drac(pair(20.0, 10.0, 0.0), "a") == 100.0
    assert drac(pair(20.0, 10.0, 25.0), "b") == 0.0


def test_drac__brakes_so_that_the_gap_is_just_used_up() -> None:
    speed, leader_speed, gap = 17.0, 9.0, 13.0
    braking = drac(pair(speed, leader_speed, gap), "a")
    time = (speed - leader_speed) / braking
    assert math.isclose(gap + leader_speed * time - (speed * time - braking * time**2 / 2), 0.0, abs_tol=1e-9)


def test_time_gap__is_gap_over_own_speed() -> None:
    assert time_gap(pair(10.0, 30.0, 15.0), "a") == 1.5
    assert time_gap(pair(0.0, 30.0, 15.0), "a") == 100.0
    assert time_gap(pair(10.0, 30.0, 15.0), "b") == 100.0


@pytest.mark.parametrize(("gap", "penalty"), [(0.0, -1.0), (5.0, -0.5), (10.0, 0.0), (30.0, 0.0)])
def test_time_gap_penalty__begins_below_1_s(gap: float, penalty: float) -> None:
    assert time_gap_penalty(pair(10.0, 10.0, gap), "a") == penalty


def test_collided__now_or_earlier_in_the_decision() -> None:
    kernel = pair(1.0, 1.0, 1.0)
    vehicles = cast(Any, kernel).vehicle
    assert collided(kernel, "a") == 0.0
    vehicles.collided = ("a",)
    assert (collided(kernel, "a"), collided(kernel, "b")) == (1.0, 0.0)
    vehicles.collided, vehicles.gone = (), {"a": "arrived", "b": "collided"}
    assert (collided(kernel, "a"), collided(kernel, "b")) == (0.0, 1.0)
