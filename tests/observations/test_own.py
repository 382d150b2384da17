from typing import Any

import numpy as np
import pytest

from sumo_gymnasium.kernels.neighbours import LaneNeighbours as Pair
from sumo_gymnasium.kernels.neighbours import Neighbour
from sumo_gymnasium.observations.own import LaneNeighbours, LeaderAndFollower, Own, SixNeighbours
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles

OTHERS = {"front": FakeVehicle(speed=16.0), "back": FakeVehicle(speed=12.0)}


def about(value: list[float]) -> Any:
    return pytest.approx(value, abs=1e-6)


def test_leader_and_follower__how_fast_gaps_grow() -> None:
    vehicle = FakeVehicle(speed=10.0, leader=Neighbour("front", 25.0), follower=Neighbour("back", 50.0))
    values = LeaderAndFollower(range=100, speed=20)(fake_vehicles({"a": vehicle, **OTHERS}), "a")
    assert values.tolist() == about([0.5, 0.3, 0.25, -0.1, 0.5])


def test_leader_and_follower__nobody_is_far_away() -> None:
    far = FakeVehicle(speed=10.0, leader=Neighbour("front", 100.1), follower=None)
    values = LeaderAndFollower(range=100, speed=20)(fake_vehicles({"a": far, **OTHERS}), "a")
    assert values.tolist() == about([0.5, 0, 1, 0, 1])


def test_leader_and_follower__who_has_gone_is_nobody() -> None:
    vehicle = FakeVehicle(speed=10.0, leader=Neighbour("gone", 5.0), follower=Neighbour("gone", 5.0))
    assert LeaderAndFollower(range=100, speed=20)(fake_vehicles({"a": vehicle}), "a").tolist() == about(
        [0.5, 0, 1, 0, 1]
    )


def test_own__begins_with_its_place() -> None:
    vehicle = FakeVehicle(speed=10.0, x=30.0, way_length=120.0, leader=Neighbour("front", 25.0))
    values = Own(range=100, speed=20)(fake_vehicles({"a": vehicle, **OTHERS}), "a")
    assert values.tolist() == about([0.25, 0.5, 0.3, 0.25, 0, 1])


def test_six_neighbours__stand_in_their_order() -> None:
    around = {
        name: Neighbour(name, 10.0 * place)
        for place, name in enumerate(
            ("leader", "follower", "left_leader", "left_follower", "right_leader", "right_follower"), start=1
        )
    }
    others = {name: FakeVehicle(speed=10.0 + place) for place, name in enumerate(around, start=1)}
    kernel = fake_vehicles({"a": FakeVehicle(speed=10.0, **around), **others}, {"e": FakeRoad(lanes=2)})
    values = SixNeighbours(range=100, speed=10)(kernel, "a")
    assert values[:3].tolist() == about([1.0, 1, 0])  # a lane to the left only
    assert values[3:].reshape(6, 3).ravel().tolist() == about([n for i in range(1, 7) for n in (1, i / 10, i / 10)])


def test_six_neighbours__nobody_is_not_there() -> None:
    values = SixNeighbours()(fake_vehicles({"a": FakeVehicle(speed=0.0)}), "a")
    assert values.tolist() == [0, 0, 0, *[0, 1, 0] * 6]


def test_lane_neighbours__has_a_row_for_each_lane_of_the_widest_road() -> None:
    lanes = (Pair(None, Neighbour("back", 20.0)), Pair(Neighbour("front", 40.0), None))
    vehicle = FakeVehicle(speed=10.0, lane="e_1", lane_index=1, lane_neighbours=lanes)
    kernel = fake_vehicles({"a": vehicle, **OTHERS}, {"e": FakeRoad(lanes=2), "f": FakeRoad(lanes=3)})
    values = LaneNeighbours(range=100, speed=10)(kernel, "a")
    assert values[0].tolist() == about([1, 0, 0, 1, 0, 1, 0.2, 0.2])
    assert values[1].tolist() == about([1, 1, 1, 0.4, 0.6, 0, 1, 0])
    assert values[2].tolist() == [0, 0, 0, 1, 0, 0, 1, 0]


@pytest.mark.parametrize("kind", [Own, LeaderAndFollower, SixNeighbours, LaneNeighbours])
def test_own__stays_in_its_space_where_numbers_are_odd(kind: Any) -> None:
    odd = Neighbour("odd", -3.0)
    sides = dict.fromkeys(("leader", "follower", "left_leader", "left_follower", "right_leader"), odd)
    vehicle = FakeVehicle(speed=-1e-9, x=-2.0, lane_neighbours=(Pair(odd, odd),), **sides)
    kernel = fake_vehicles({"a": vehicle, "odd": FakeVehicle(speed=60.0)})
    values = kind()(kernel, "a")
    assert values.dtype == np.float32
    assert kind().space(kernel, "a").contains(values)


@pytest.mark.parametrize("kind", [Own, LeaderAndFollower, SixNeighbours, LaneNeighbours])
def test_own__needs_a_range_and_a_speed(kind: Any) -> None:
    with pytest.raises(ValueError, match="range=0: expected"):
        kind(range=0)
    with pytest.raises(ValueError, match="speed=inf: expected"):
        kind(speed=float("inf"))
