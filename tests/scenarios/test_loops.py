from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.loops import places_on, ways
from sumo_gymnasium.scenarios.registry import scenario_of
from tests.scenarios.driving import drive, types_in, written

RING = {"name": "ring", "length": 100, "vehicles": 5}


def test_places__are_equally_far_apart_and_not_in_nodes() -> None:
    way = [(24.0, 1.0)] * 4
    places = places_on(way, 10)
    x = [25.0 * edge + at for edge, at in places]
    assert [other - one for one, other in pairwise(x)] == pytest.approx([10.0] * 9)
    assert max(at for _, at in places) <= 24


def test_places__where_some_are_always_in_a_node_are_refused() -> None:
    with pytest.raises(ScenarioError, match="20 vehicles cannot stand equally far apart"):
        places_on([(10.0, 15.0)] * 4, 20)


def test_ways__refuse_what_is_no_loop() -> None:
    net = scenario_of(RING).net_file
    with pytest.raises(ScenarioError, match="edge 'ring0_bottom' does not lead to 'ring0_top'"):
        ways(net, [("ring0_bottom", "ring0_top")])


def test_vehicles__drive_round_for_ever_on_a_route_that_does_not_grow(tmp_path: Path) -> None:
    x: list[float] = []

    def look(kernel: Kernel) -> None:
        x.append(kernel.vehicle.speed("loop0_0") * kernel.scenario.step_length)

    driven = drive(RING, 300, look)
    assert (driven.inserted, driven.arrived, driven.collisions) == (5, 0, 0)
    assert sum(x) > 10 * 100
    _, text = written(RING, tmp_path)
    routes = [route.get("edges", "").split() for route in ElementTree.fromstring(text).iter("route")]
    assert {len(route) for route in routes} == {5}
    assert all(route[0] == route[-1] for route in routes)


def test_vehicles__are_all_there_after_the_first_step() -> None:
    there: list[int] = []
    drive(RING, 1, lambda kernel: there.append(len(kernel.vehicle.ids)))
    assert there == [5] * 10


def test_vehicles__are_there_at_whatever_second_the_scenario_begins(tmp_path: Path) -> None:
    _, text = written({**RING}, tmp_path)
    late = scenario_of(RING, begin=100, end=200)
    _, later = written(late, tmp_path)
    assert later == text.replace('depart="0.00"', 'depart="100.00"')


def test_penetration__is_an_option_of_reset(tmp_path: Path) -> None:
    _, text = written(RING, tmp_path, options={"penetration": 0.6})
    assert types_in(text).count("agent") == 3


def test_scaled_demand__is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="demand_scale=2: the vehicles of 'ring' are there from the start"):
        written(RING, tmp_path, options={"demand_scale": 2})
