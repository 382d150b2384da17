from typing import Any

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.net import read_net
from sumo_gymnasium.scenarios.registry import scenario_of
from tests.scenarios.driving import drive


def test_lengths__are_those_asked_for() -> None:
    net = read_net(scenario_of({"name": "merge", "before": 300, "ramp": 80}).net_file)
    assert [net.lanes[lane].length for lane in ("before_0", "after_0", "ramp_0")] == [300, 100, 80]


def test_zipper__has_an_acceleration_lane_of_100_m() -> None:
    net = read_net(scenario_of({"name": "merge", "zipper": True}).net_file)
    assert net.junctions["zipper"].type == "zipper"
    assert net.edges["acceleration"].lanes == ("acceleration_0", "acceleration_1")
    assert net.lanes["acceleration_0"].length == 100
    assert net.lanes["acceleration_0"].next == net.lanes["acceleration_1"].next == ("after_0",)


def test_acceleration_lane__lets_traffic_flow_that_a_junction_holds_up() -> None:
    """2000 + 100 veh/h at equal time headways: about 11.5 m/s at a priority junction (measured in SUMO 1.28)."""
    speeds = [drive({"name": "merge", "zipper": zipper, "arrivals": "fixed"}, 600).speed for zipper in (False, True)]
    assert 6 < speeds[0] < 14
    assert 18 < speeds[1] < 28


def test_vehicles_of_the_ramp__yield() -> None:
    """They are slower than those for whom they wait."""
    speeds: dict[str, list[float]] = {"main": [], "ramp": []}

    def look(kernel: Kernel) -> None:
        for vehicle in kernel.vehicle.ids:
            speeds["main" if vehicle.startswith("main") else "ramp"].append(kernel.vehicle.speed(vehicle))

    drive({"name": "merge", "inflow": 1200, "ramp_inflow": 200}, 200, look)
    mean = {name: sum(found) / len(found) for name, found in speeds.items()}
    assert mean["ramp"] < mean["main"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"before": 5}, "before=5: expected a number, 30 to 10000"),
        ({"ramp": "long"}, "ramp='long'"),
        ({"lanes": 7}, "lanes=7"),
        ({"speed_limit": -1}, "speed_limit=-1"),
        ({"ramp_inflow": [5, 1]}, "ramp_inflow"),
    ],
)
def test_wrong_merge__is_said(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of({"name": "merge", **wrong})
