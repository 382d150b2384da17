import math
from typing import Any

import pytest

from sumo_gymnasium.controllers.idm import Idm
from sumo_gymnasium.controllers.mobil import Mobil
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.neighbours import Neighbour
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles

RIGHT, KEEP, LEFT = 0, 1, 2


def kernel_of(lanes: int = 2, others: dict[str, float] | None = None, **vehicle: Any) -> Kernel:
    """Vehicle "a" on lane 0 at 20 m/s, among others of these speeds."""
    others = others or {}
    vehicles = {name: FakeVehicle(speed=speed) for name, speed in others.items()}
    fields = {"speed": 20.0, **vehicle}
    return fake_vehicles({"a": FakeVehicle(**fields), **vehicles}, {"e": FakeRoad(lanes=lanes)})


def test_mobil__overtakes_a_slow_leader() -> None:
    assert Mobil()(kernel_of(others={"slow": 10.0}, leader=Neighbour("slow", 20.0)), "a") == LEFT


def test_mobil__keeps_a_lane_that_is_as_good() -> None:
    assert Mobil()(kernel_of(), "a") == KEEP


def test_mobil__cannot_change_where_there_is_no_lane() -> None:
    assert Mobil()(kernel_of(lanes=1, others={"slow": 10.0}, leader=Neighbour("slow", 20.0)), "a") == KEEP


def test_mobil__does_not_make_others_brake_hard() -> None:
    slow = {"slow": 10.0, "fast": 30.0}
    near, far = (
        kernel_of(others=slow, leader=Neighbour("slow", 20.0), left_follower=Neighbour("fast", gap))
        for gap in (15.0, 200.0)
    )
    assert Idm().acceleration(30.0, 20.0, 15.0) < -4 < Idm().acceleration(30.0, 20.0, 200.0)
    assert Mobil(politeness=0.0)(near, "a") == KEEP
    assert Mobil(politeness=0.0)(far, "a") == LEFT


def test_mobil__does_not_change_into_a_vehicle_beside_it() -> None:
    kernel = kernel_of(others={"slow": 10.0, "beside": 20.0}, leader=Neighbour("slow", 20.0))
    kernel.vehicle.vehicles["a"].left_leader = Neighbour("beside", -2.0)  # type: ignore[attr-defined]
    assert Mobil()(kernel, "a") == KEEP


def test_mobil__the_polite_let_others_pass() -> None:
    others = {"slow": 15.0, "behind": 28.0}
    kernel = kernel_of(others=others, leader=Neighbour("slow", 60.0), left_follower=Neighbour("behind", 80.0))
    assert Mobil(politeness=0.0)(kernel, "a") == LEFT
    assert Mobil(politeness=1.0)(kernel, "a") == KEEP


def test_mobil__gain_is_that_of_the_formula() -> None:
    others = {"leader": 15.0, "follower": 22.0, "new_leader": 18.0, "new_follower": 21.0}
    kernel = kernel_of(
        others=others,
        leader=Neighbour("leader", 30.0),
        follower=Neighbour("follower", 25.0),
        left_leader=Neighbour("new_leader", 70.0),
        left_follower=Neighbour("new_follower", 40.0),
    )
    accelerate = Idm().acceleration
    own = accelerate(20.0, 18.0, 70.0) - accelerate(20.0, 15.0, 30.0)
    new = accelerate(21.0, 20.0, 40.0) - accelerate(21.0, 18.0, 40.0 + 5.0 + 70.0)
    old = accelerate(22.0, 15.0, 25.0 + 5.0 + 30.0) - accelerate(22.0, 20.0, 25.0)
    assert Mobil(politeness=0.3).gain(kernel, "a", 1) == pytest.approx(own + 0.3 * (new + old))
    assert math.isfinite(own)


def test_mobil__refuses_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="expected a deceleration above 0"):
        Mobil(safe_deceleration=0.0)
