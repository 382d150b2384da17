from typing import Any, cast

import pytest

from sumo_gymnasium.actions.lane_change import LaneChange
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles

ROADS = {"e": FakeRoad(lanes=3)}


@pytest.mark.parametrize(("lane", "mask"), [(0, [0, 1, 1]), (1, [1, 1, 1]), (2, [1, 1, 0])])
def test_lane_change__masks_lanes_that_are_not_there(lane: int, mask: list[int]) -> None:
    kernel = fake_vehicles({"a": FakeVehicle(lane=f"e_{lane}", lane_change_outcome="refused")}, ROADS)
    info = LaneChange().info(kernel, "a")
    assert info["action_mask"].tolist() == mask
    assert info["lane_change"] == "refused"


def test_lane_change__goes_right_stays_or_goes_left() -> None:
    kernel = fake_vehicles({"a": FakeVehicle()}, ROADS)
    for action in range(LaneChange().space(kernel, "a").n):  # type: ignore[attr-defined]
        LaneChange().apply(kernel, "a", action)
    assert cast(Any, kernel).vehicle.commands == [("change_lane", "a", direction) for direction in (-1, 0, 1)]
