from typing import Any

import pytest

from sumo_gymnasium.observations.segments import Segments
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles

ROADS = {"e": FakeRoad(length=100.0, lanes=2, speed=20.0), ":n": FakeRoad(), "b": FakeRoad(length=50.0, speed=10.0)}
KERNEL = fake_vehicles(
    {
        "1": FakeVehicle(lane="e_0", lane_position=10.0, speed=10.0),
        "2": FakeVehicle(lane="e_0", lane_position=49.0, speed=20.0, type="agent"),
        "3": FakeVehicle(lane="e_1", lane_position=100.0, speed=5.0),
        "4": FakeVehicle(lane=":n_0", lane_position=1.0),
        "5": FakeVehicle(lane="b_0", lane_position=0.0, speed=10.0),
    },
    ROADS,
)


def test_segments__count_and_average_on_each_piece() -> None:
    values = Segments(edges=("e", "b"), segments=2, vehicles=10)(KERNEL, "1")
    expected = [[0.1, 0.1, 0.75], [0, 0, 0], [0, 0, 0], [0.1, 0, 0.25], [0.1, 0, 1], [0, 0, 0]]
    assert values.ravel().tolist() == pytest.approx([number for row in expected for number in row])


def test_segments__are_all_roads_where_none_is_named() -> None:
    values = Segments(vehicles=1)(KERNEL, "1")
    assert values[:, 0].tolist() == [1, 1, 1]  # b_0, e_0, e_1
    assert values[:, 1].tolist() == [0, 1, 0]
    assert Segments(vehicles=1).space(KERNEL, "1").contains(values)


def test_segments__must_be_in_the_network() -> None:
    with pytest.raises(ValueError, match="no edge 'x' in the network"):
        Segments(edges=("x",)).space(KERNEL, "1")


@pytest.mark.parametrize("wrong", [{"segments": 0}, {"vehicles": 0}])
def test_segments__refuse_what_cannot_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Segments(**wrong)
