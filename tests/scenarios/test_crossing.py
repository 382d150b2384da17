from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.crossing import CONTROLS
from sumo_gymnasium.scenarios.net import read_net
from sumo_gymnasium.scenarios.registry import scenario_of
from tests.scenarios.driving import written

ARMS = {"crossing": 4, "t_junction": 3, "five_way": 5}


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("control", CONTROLS)
def test_junction__has_the_arms_and_the_control(name: str, control: str) -> None:
    net = read_net(scenario_of({"name": name, "control": control}).net_file)
    into = [edge for edge in net.edges.values() if edge.target == "center" and not edge.function]
    assert len(into) == ARMS[name]
    assert net.junctions["center"].type == control
    assert list(net.links) == (["center"] if control == "traffic_light" else [])


@pytest.mark.parametrize("name", ARMS)
def test_routes__lead_from_each_arm_to_all_others(name: str, tmp_path: Path) -> None:
    _, text = written(name, tmp_path)
    routes = [tuple(route.get("edges", "").split()) for route in ElementTree.fromstring(text).iterfind("route")]
    assert len(set(routes)) == ARMS[name] * (ARMS[name] - 1)
    net = read_net(scenario_of(name).net_file)
    for origin, target in routes:
        assert any(
            following.startswith(target) for lane in net.edges[origin].lanes for following in net.lanes[lane].next
        )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"control": "signal"}, "no control 'signal'. There are: priority"),
        ({"arm": 1}, "arm=1: expected a number, 30 to 10000"),
        ({"lanes": 5}, "lanes=5"),
        ({"inflow": None}, "inflow=None"),
    ],
)
@pytest.mark.parametrize("name", ARMS)
def test_wrong_junction__is_said(name: str, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of({"name": name, **wrong})
