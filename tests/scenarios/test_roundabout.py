from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.registry import scenario_of
from tests.scenarios.driving import written


@pytest.mark.parametrize("arms", [3, 4, 6])
def test_circle__is_a_roundabout_to_sumo_with_priority_over_the_arms(arms: int) -> None:
    net = ElementTree.parse(scenario_of({"name": "roundabout", "arms": arms}).net_file).getroot()
    (circle,) = (element.get("edges", "").split() for element in net.iterfind("roundabout"))
    assert sorted(circle) == [f"circle{count}" for count in range(arms)]
    states = {one.get("from", ""): one.get("state") for one in net.iterfind("connection")}
    assert [states[f"circle{count}"] for count in range(arms)] == ["M"] * arms
    assert [states[f"arm{count}_in"] for count in range(arms)] == ["m"] * arms


def test_routes__go_round_anticlockwise(tmp_path: Path) -> None:
    _, text = written({"name": "roundabout", "arms": 3}, tmp_path)
    routes = {route.get("edges") for route in ElementTree.fromstring(text).iterfind("route")}
    assert "arm2_in circle2 arm0_out" in routes
    assert "arm2_in circle2 circle0 arm1_out" in routes
    assert len(routes) == 6


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"arms": 2}, "arms=2: expected a whole number, 3 to 8"),
        ({"radius": 10}, "radius=10: expected a number, 12 to 500"),
        ({"circle_speed": 0}, "circle_speed=0"),
        ({"lanes": 4}, "lanes=4"),
    ],
)
def test_wrong_roundabout__is_said(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of({"name": "roundabout", **wrong})
