import math
from typing import Any

import pytest

from sumo_gymnasium.controllers.idm import Idm
from sumo_gymnasium.kernels.neighbours import Neighbour
from sumo_gymnasium.testing.fake_vehicles import FakeVehicle, fake_vehicles


def test_idm__starts_from_rest() -> None:  # figure 6
    accelerations = [Idm().acceleration(0.0, 0.0, gap) for gap in (10.0, 20.0, 30.0, 40.0, 50.0)]
    assert accelerations == pytest.approx([0.96, 0.99, 0.995556, 0.9975, 0.9984], abs=1e-6)


@pytest.mark.parametrize(("length", "speed"), [(230.0, 3.4541), (260.0, 4.8159)])
def test_idm__is_at_rest_in_its_equilibrium(length: float, speed: float) -> None:  # figure 1
    assert Idm().acceleration(speed, speed, (length - 22 * 5) / 22) == pytest.approx(0.0, abs=1e-4)


def test_idm__keeps_its_desired_speed_alone() -> None:
    assert Idm(desired_speed=20.0).acceleration(20.0, 20.0, math.inf) == 0.0
    assert Idm(desired_speed=20.0).acceleration(10.0, 10.0, math.inf) == 1 - 0.5**4


def test_idm__brakes_for_a_slower_leader() -> None:
    # s* = 2 + 10 · 1 + 10 · 5 / (2 √1.5), 1 − (1/3)⁴ − (s* / 20)²
    wanted = 12 + 50 / (2 * math.sqrt(1.5))
    assert Idm().acceleration(10.0, 5.0, 20.0) == pytest.approx(1 - (1 / 3) ** 4 - (wanted / 20) ** 2)


def test_idm__a_faster_leader_does_not_shorten_its_jam_gap() -> None:
    assert Idm().acceleration(1.0, 30.0, 2.0) == pytest.approx(1 - (1 / 30) ** 4 - 1)


@pytest.mark.parametrize("gap", [0.0, -3.0])
def test_idm__brakes_as_hard_as_it_can_where_it_touches(gap: float) -> None:
    assert -math.inf < Idm().acceleration(5.0, 0.0, gap) < -1000


def test_idm__reads_the_vehicle_ahead() -> None:
    kernel = fake_vehicles({"a": FakeVehicle(speed=10.0, leader=Neighbour("b", 20.0)), "b": FakeVehicle(speed=5.0)})
    assert Idm()(kernel, "a") == Idm().acceleration(10.0, 5.0, 20.0)
    assert Idm()(kernel, "b") == Idm().acceleration(5.0, 5.0, math.inf) > 0


@pytest.mark.parametrize("wrong", [{"desired_speed": 0}, {"exponent": -1}, {"time_gap": -0.1}, {"jam_gap": -1.0}])
def test_idm__refuses_what_cannot_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Idm(**wrong)
