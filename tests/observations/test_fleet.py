import numpy as np
import pytest

from sumo_gymnasium.observations.fleet import AllVehicles, Fleet
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles

RING = {
    "a": FakeVehicle(speed=5.0, x=80.0, way_length=100.0, lane_index=2),
    "b": FakeVehicle(speed=10.0, x=20.0, way_length=100.0, type="agent"),
    "c": FakeVehicle(speed=15.0, x=90.0, way_length=100.0, type="agent"),
}
ROADS = {"e": FakeRoad(speed=20.0, lanes=3)}


def test_all_vehicles__follow_each_other_around_the_ring() -> None:
    values = AllVehicles(rows=4)(fake_vehicles(RING, ROADS), "a")
    expected = [[1, 0.25, 0.8], [1, 0.75, 0.9], [1, 0.5, 0.2], [0, 0, 0]]
    assert values.ravel().tolist() == pytest.approx([number for row in expected for number in row])


def test_all_vehicles__can_show_lanes() -> None:
    values = AllVehicles(rows=2, columns=("lane",))(fake_vehicles(RING, ROADS), "a")
    assert values.tolist() == [[1, 1], [1, 0]]


def test_all_vehicles__leaves_out_those_who_find_no_row() -> None:
    kernel = fake_vehicles(RING, ROADS)
    observation = AllVehicles(rows=1)
    assert observation(kernel, "c").ravel().tolist() == pytest.approx([1, 0.75, 0.9])
    assert observation.space(kernel, "c").contains(observation(kernel, "c"))


def test_all_vehicles__has_no_other_columns() -> None:
    with pytest.raises(ValueError, match="no column 'lanes'; did you mean 'lane'"):
        AllVehicles(columns=("lanes",))
    with pytest.raises(ValueError, match="rows=0: expected"):
        AllVehicles(rows=0)


def test_fleet__shows_those_of_a_type_in_order_of_ids() -> None:
    kernel = fake_vehicles(RING, ROADS)
    values = Fleet("wave_attenuation", "agent", rows=3)(kernel, "a")
    assert values.ravel().tolist() == pytest.approx([1, 10 / 15, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0])
    assert Fleet("wave_attenuation", "agent", rows=3)(kernel, "b").tolist() == values.tolist()


@pytest.mark.parametrize("rows", [1, 5])
def test_fleet__is_in_its_space(rows: int) -> None:
    kernel = fake_vehicles(RING, ROADS)
    values = Fleet("six_neighbours", None, rows)(kernel, "a")
    assert values.dtype == np.float32
    assert values.shape == (rows, 22)
    assert Fleet("six_neighbours", None, rows).space(kernel, "a").contains(values)
