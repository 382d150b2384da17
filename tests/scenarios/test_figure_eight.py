import math
from typing import Any

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.figure_eight import EDGES
from sumo_gymnasium.scenarios.loops import ways
from sumo_gymnasium.scenarios.net import read_net
from sumo_gymnasium.scenarios.registry import scenario_of
from tests.scenarios.driving import drive


@pytest.mark.parametrize("radius", [30.0, 50.0])
def test_way__is_two_arcs_of_270_degrees_and_two_diameters(radius: float) -> None:
    (way,) = ways(scenario_of({"name": "figure_eight", "radius": radius}).net_file, [EDGES])
    assert sum(map(sum, way)) == pytest.approx(3 * math.pi * radius + 4 * radius, rel=0.005)


def test_way__crosses_itself_in_the_middle() -> None:
    net = read_net(scenario_of("figure_eight").net_file)
    center = net.junctions["center"]
    assert (center.x, center.y) == (0, 0)
    assert [name for name, edge in net.edges.items() if edge.target == "center" and not edge.function] == [
        "east",
        "south",
    ]


def test_vehicles__give_way_in_the_middle_for_ten_minutes() -> None:
    driven = drive("figure_eight", 600)
    assert (driven.inserted, driven.arrived, driven.collisions) == (14, 0, 0)
    assert 3 < driven.speed < 7


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"radius": 5}, "radius=5: expected a number, 15 to 1000"),
        ({"vehicles": 100}, "vehicles=100: 100 of them one behind the other need 6 m each"),
        ({"lanes": 9}, "lanes=9"),
    ],
)
def test_wrong_figure_eight__is_said(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of({"name": "figure_eight", **wrong})
