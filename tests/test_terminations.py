from typing import Any, cast

import pytest

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.terminations import TERMINATIONS, Arrived, Collision, Gridlock, OffRoute, Stuck
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles


def kernel_with(collided: tuple[str, ...] = (), gone: dict[str, str] | None = None, **vehicle: Any) -> Kernel:
    kernel = fake_vehicles({"a": FakeVehicle(**vehicle), "b": FakeVehicle()})
    cast(Any, kernel).vehicle.collided, cast(Any, kernel).vehicle.gone = collided, gone or {}
    return kernel


@pytest.mark.parametrize(
    ("kernel", "own", "anyone"),
    [
        (kernel_with(), False, False),
        (kernel_with(collided=("a",)), True, True),
        (kernel_with(collided=("b",)), False, True),
        (kernel_with(gone={"a": "collided"}), True, True),
        (kernel_with(gone={"a": "arrived", "b": "removed"}), False, False),
    ],
)
def test_collision__is_the_vehicle_s_own_or_anyone_s(kernel: Kernel, own: bool, anyone: bool) -> None:
    assert Collision()(kernel, "a") is own
    assert Collision(anyone=True)(kernel, "a") is anyone


def test_arrived__is_no_crash() -> None:
    assert Arrived()(kernel_with(gone={"a": "arrived"}), "a")
    assert not Arrived()(kernel_with(gone={"a": "collided"}), "a")
    assert not Arrived()(kernel_with(), "a")


def test_stuck__takes_its_time() -> None:
    assert not Stuck(30)(kernel_with(waiting_time=29.9), "a")
    assert Stuck(30)(kernel_with(waiting_time=30.0), "a")
    assert not Stuck(30)(kernel_with(waiting_time=30.0), "b")


def test_gridlock__needs_all() -> None:
    assert not Gridlock(30)(kernel_with(waiting_time=90.0), "a")
    assert Gridlock(30)(fake_vehicles({"a": FakeVehicle(waiting_time=31.0), "b": FakeVehicle(waiting_time=30.0)}), "a")
    assert not Gridlock(30)(fake_vehicles({}), "a")


ROADS = {"e": FakeRoad(length=100.0, next=("f",)), "f": FakeRoad(), "g": FakeRoad(), ":n": FakeRoad()}


@pytest.mark.parametrize(
    ("vehicle", "off"),
    [
        (FakeVehicle(route=("e", "f"), lane_position=99.0), False),
        (FakeVehicle(route=("e", "g"), lane_position=99.0), True),
        (FakeVehicle(route=("e", "g"), lane_position=90.0), False),  # it may still change lanes
        (FakeVehicle(route=("e",), lane_position=99.0), False),
        (FakeVehicle(route=("f", "g"), lane_position=1.0), True),
        (FakeVehicle(route=("e", "g"), lane=":n_0", lane_position=99.0), False),
        (FakeVehicle(route=("e", "g", "e", "f"), route_index=2, lane_position=99.0), False),
    ],
)
def test_off_route__where_the_lane_does_not_lead_on(vehicle: FakeVehicle, off: bool) -> None:
    assert OffRoute(near=5.0)(fake_vehicles({"a": vehicle}, ROADS), "a") is off


@pytest.mark.parametrize("wrong", [lambda: Stuck(0), lambda: Gridlock(-1), lambda: OffRoute(0)])
def test_terminations__refuse_what_cannot_be(wrong: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        wrong()


@pytest.mark.parametrize("name", TERMINATIONS)
def test_terminations__say_no_at_first(name: str) -> None:
    assert not TERMINATIONS[name](kernel_with(), "a")
