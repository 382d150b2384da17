from typing import Any, cast

import pytest

from sumo_gymnasium.actions.maneuvers import FASTER, IDLE, SLOWER, TO_LEFT, TO_RIGHT, Maneuver
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles

ROADS = {"e": FakeRoad(lanes=2)}


def driven(*actions: int, **vehicle: Any) -> list[Any]:
    kernel = fake_vehicles({"a": FakeVehicle(**vehicle)}, ROADS)
    for action in actions:
        Maneuver(change=4.0, lowest=0.0, highest=20.0).apply(kernel, "a", action)
    return cast(list[Any], cast(Any, kernel).vehicle.commands)


def test_maneuver__moves_the_speed_that_it_drives_at() -> None:
    speeds = [speed for _, _, speed in driven(FASTER, FASTER, IDLE, SLOWER, speed=10.0)]
    assert speeds == [14.0, 18.0, 18.0, 14.0]


def test_maneuver__keeps_its_bounds() -> None:
    assert [speed for _, _, speed in driven(FASTER, FASTER, FASTER, speed=14.0)] == [18.0, 20.0, 20.0]
    assert [speed for _, _, speed in driven(SLOWER, SLOWER, speed=5.0)] == [1.0, 0.0]


def test_maneuver__changes_to_lanes_that_there_are() -> None:
    assert [command for command in driven(TO_LEFT, TO_RIGHT, lane="e_0") if command[0] == "change_lane"] == [
        ("change_lane", "a", 1)
    ]
    assert ("change_lane", "a", -1) in driven(TO_LEFT, TO_RIGHT, lane="e_1")


@pytest.mark.parametrize(
    ("speed", "lane", "mask"),
    [(10.0, "e_0", [1, 1, 1, 1, 0]), (0.0, "e_1", [0, 1, 1, 0, 1]), (25.0, "e_0", [1, 1, 0, 1, 0])],
)
def test_maneuver__masks_what_would_be_idle(speed: float, lane: str, mask: list[int]) -> None:
    kernel = fake_vehicles({"a": FakeVehicle(speed=speed, lane=lane)}, ROADS)
    assert Maneuver(4.0, 0.0, 20.0).info(kernel, "a")["action_mask"].tolist() == mask


def test_maneuver__needs_a_change() -> None:
    with pytest.raises(ValueError, match="expected a change of speed"):
        Maneuver(change=0.0)
