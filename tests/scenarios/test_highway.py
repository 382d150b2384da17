from typing import Any

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.net import read_net
from sumo_gymnasium.scenarios.registry import scenario_of
from tests.scenarios.driving import drive


def test_highway__is_one_edge() -> None:
    net = read_net(scenario_of("highway").net_file)
    assert net.edges["highway"].lanes == tuple(f"highway_{lane}" for lane in range(4))
    assert {lane.length for lane in net.lanes.values()} == {1000}


def test_closed_lanes__are_used_by_nobody() -> None:
    closed: list[float] = []
    there: list[float] = []

    def look(kernel: Kernel) -> None:
        for vehicle in kernel.vehicle.ids:
            x, y = kernel.vehicle.position(vehicle)
            if 610 < x < 690:
                (closed if y < 0 else there).append(y)  # the road's middle is at 0, its right side below

    driven = drive({"name": "highway", "closed_lanes": 2, "inflow": 3000}, 120, look)
    assert there
    assert not closed
    assert driven.arrived > 50


def test_slow_exit__holds_traffic_up() -> None:
    free, held = (drive({"name": "highway", "exit_speed": speed}, 200).speed for speed in (None, 5))
    assert free > 25
    assert held < 0.7 * free


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"closed_lanes": 4}, "closed_lanes=4: expected a whole number, 0 to 3"),
        ({"closed_lanes": 1, "length": 100}, "length=100: a closure needs 120 m"),
        ({"closed_lanes": 1, "closure_begin": 950}, "closure_begin=950: expected a number, 10 to 890"),
        ({"exit_speed": 50}, "exit_speed=50: expected a number, 1 to 30"),
        ({"lanes": 0}, "lanes=0"),
    ],
)
def test_wrong_highway__is_said(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of({"name": "highway", **wrong})
