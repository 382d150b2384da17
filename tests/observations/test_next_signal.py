from typing import Any

import pytest

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.observations.next_signal import Approach, NextSignal, approach
from sumo_gymnasium.scenarios.net import Link
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles
from sumo_gymnasium.testing.fakes import FakeSignal

ROADS = {name: FakeRoad(length=100.0) for name in ("e", "f", "g", "h")} | {":n": FakeRoad(length=20.0)}
LINKS = (
    Link(0, "f_0", "h_0", ":s_0", "r", crossing=False),
    Link(1, "f_0", "g_0", ":s_1", "s", crossing=False),
    Link(2, "e_0", "f_0", ":w", "s", crossing=True),
)


def kernel_of(state: str = "rGr", green_time: float = 15.0, **vehicle: Any) -> Kernel:
    fields = {"route": ("e", "f", "g"), "lane_position": 70.0, **vehicle}
    signal = FakeSignal(phases=(state,), green_time=green_time, links=LINKS)
    return fake_vehicles({"a": FakeVehicle(**fields)}, ROADS, {"S": signal})


def test_approach__is_the_link_that_the_route_takes() -> None:
    assert approach(kernel_of(), "a", 200.0) == Approach("S", 1, 130.0)
    assert approach(kernel_of(route=("e", "f", "h")), "a", 200.0) == Approach("S", 0, 130.0)
    assert approach(kernel_of(route=("e", "f", "g"), route_index=1, lane="f_0"), "a", 200.0) == Approach("S", 1, 30.0)


def test_approach__from_inside_a_junction() -> None:
    kernel = kernel_of(lane=":n_0", lane_position=5.0)
    assert approach(kernel, "a", 200.0) == Approach("S", 1, 115.0)


@pytest.mark.parametrize(
    "vehicle",
    [
        {"route": ("e", "f")},  # it ends before the signal
        {"route": ("e", "f", "g"), "route_index": 2, "lane": "g_0"},  # it has passed
        {"lane_position": 10.0},  # too far
        {"route": ("e",), "lane": ":n_0"},
    ],
)
def test_approach__is_none_where_there_is_none(vehicle: dict[str, Any]) -> None:
    kernel = kernel_of(**vehicle)
    assert approach(kernel, "a", 150.0) is None
    assert NextSignal(range=150)(kernel, "a").tolist() == [0, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("state", "shown"),
    [
        ("rGr", [1, 0, 0]),
        ("rgr", [1, 0, 0]),
        ("Gyr", [0, 1, 0]),
        ("Grr", [0, 0, 1]),
        ("GuG", [0, 0, 1]),
        ("GOG", [0] * 3),
    ],
)
def test_next_signal__shows_the_colour(state: str, shown: list[int]) -> None:
    kernel = kernel_of(state)
    values = NextSignal(range=200, time=60)(kernel, "a")
    assert values.tolist() == pytest.approx([1, 0.65, *shown, 0.25])
    assert NextSignal().space(kernel, "a").contains(values)


def test_next_signal__time_is_at_most_1() -> None:
    assert NextSignal()(kernel_of(green_time=999.0), "a")[5] == 1.0


def test_next_signal__needs_a_range() -> None:
    with pytest.raises(ValueError, match="range=0"):
        NextSignal(range=0)
