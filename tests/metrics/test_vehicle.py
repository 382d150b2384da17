from typing import Any, cast

import pytest

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.neighbours import Neighbour
from sumo_gymnasium.kernels.vehicle import VehicleKernel
from sumo_gymnasium.metrics import METRICS
from sumo_gymnasium.metrics.vehicle import (
    VEHICLE_METRICS,
    effort,
    jerk,
    lane_changed,
    right_lane,
    speed_ratio,
    standing,
)
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles
from sumo_gymnasium.testing.fakes import FakeSimulation


def at(kernel: Kernel, time: float) -> None:
    cast(Any, kernel).simulation = FakeSimulation(time=time)


def test_fake_vehicle__has_reads_that_the_kernel_has() -> None:
    assert [read for read in FakeVehicle.__dataclass_fields__ if not hasattr(VehicleKernel, read)] == []


def test_names__are_no_signal_metrics() -> None:
    assert not set(METRICS) & set(VEHICLE_METRICS)


@pytest.mark.parametrize("name", VEHICLE_METRICS)
def test_metrics__are_numbers_for_a_lonely_vehicle(name: str) -> None:
    kernel = fake_vehicles({"a": FakeVehicle()})
    assert isinstance(VEHICLE_METRICS[name](kernel, "a"), float)


def test_speed_ratio__can_be_above_1() -> None:
    assert speed_ratio(fake_vehicles({"a": FakeVehicle(speed=22.0, speed_limit=20.0)}), "a") == pytest.approx(1.1)


def test_effort__is_what_was_asked_for_without_sign() -> None:
    kernel = fake_vehicles({"a": FakeVehicle(requested=-2.0), "b": FakeVehicle(requested=None)})
    assert (effort(kernel, "a"), effort(kernel, "b")) == (2.0, 0.0)


def test_jerk__is_the_change_of_acceleration_over_time() -> None:
    vehicle = FakeVehicle(acceleration=1.0)
    kernel = fake_vehicles({"a": vehicle})
    assert jerk(kernel, "a") == 0.0
    vehicle.acceleration = -2.0
    assert jerk(kernel, "a") == 0.0  # still the same step
    at(kernel, 0.5)
    assert [jerk(kernel, "a"), jerk(kernel, "a")] == [6.0, 6.0]
    at(kernel, 1.0)
    assert jerk(kernel, "a") == 0.0


@pytest.mark.parametrize(("speed", "stands"), [(0.0, 1.0), (0.09, 1.0), (0.1, 0.0)])
def test_standing__is_slower_than_a_tenth(speed: float, stands: float) -> None:
    assert standing(fake_vehicles({"a": FakeVehicle(speed=speed)}), "a") == stands


def test_lane_changed__looks_back_to_the_reading_before() -> None:
    vehicle = FakeVehicle(time_since_lane_change=0.0)
    kernel = fake_vehicles({"a": vehicle})
    assert lane_changed(kernel, "a") == 0.0  # it has just departed
    at(kernel, 5.0)
    vehicle.time_since_lane_change = 4.9
    assert [lane_changed(kernel, "a"), lane_changed(kernel, "a")] == [1.0, 1.0]
    at(kernel, 10.0)
    vehicle.time_since_lane_change = 5.0  # in the step of the reading before, which told it
    assert lane_changed(kernel, "a") == 0.0


def test_right_lane__is_1_on_the_right_and_0_on_the_left() -> None:
    vehicles = {str(lane): FakeVehicle(lane=f"e_{lane}", lane_index=lane) for lane in range(3)}
    kernel = fake_vehicles(vehicles, {"e": FakeRoad(lanes=3)})
    assert [right_lane(kernel, vehicle) for vehicle in vehicles] == [1.0, 0.5, 0.0]
    assert right_lane(fake_vehicles({"a": FakeVehicle()}), "a") == 1.0


def test_neighbour__is_the_kernel_s() -> None:
    assert Neighbour("b", 3.0)._fields == ("id", "gap")
