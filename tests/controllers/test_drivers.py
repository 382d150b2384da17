import math
from typing import Any, cast

import numpy as np
import pytest

from sumo_gymnasium.controllers.drivers import Coast, ConstantSpeed, Noisy, SumoDriving
from sumo_gymnasium.controllers.follower_stopper import FollowerStopper
from sumo_gymnasium.controllers.idm import Idm
from sumo_gymnasium.testing.fake_vehicles import FakeVehicle, fake_vehicles
from sumo_gymnasium.testing.fakes import FakeSimulation


def test_drivers__do_the_simplest() -> None:
    kernel = fake_vehicles({"a": FakeVehicle()})
    assert ConstantSpeed(7.0)(kernel, "a") == 7.0
    assert Coast()(kernel, "a") == 0.0
    assert SumoDriving()(kernel, "a") == 0


def test_noisy__adds_noise_by_the_step_length() -> None:
    kernel = fake_vehicles({"a": FakeVehicle()})
    drawn = []
    for step in range(2000):
        cast(Any, kernel).simulation = FakeSimulation(step=step, step_length=0.25)
        drawn.append(Noisy(Coast(), sigma=0.2)(kernel, "a"))
    assert np.mean(drawn) == pytest.approx(0.0, abs=0.01)
    assert np.std(drawn) == pytest.approx(math.sqrt(0.25) * 0.2, rel=0.05)


def test_noisy__is_the_same_twice_in_a_step() -> None:
    kernel = fake_vehicles({"a": FakeVehicle(), "b": FakeVehicle()})
    noisy = Noisy(Idm())
    assert noisy(kernel, "a") == noisy(kernel, "a") != noisy(kernel, "b")
    assert noisy(kernel, "a") != Idm()(kernel, "a")


def test_noisy__needs_an_acceleration() -> None:
    with pytest.raises(ValueError, match="not an acceleration"):
        Noisy(cast(Any, FollowerStopper()))
    with pytest.raises(ValueError, match="sigma=0"):
        Noisy(Idm(), sigma=0)
