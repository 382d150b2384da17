from itertools import pairwise

import numpy as np
import pytest

from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.scenarios.roads import TASTES, Choice, Roads, read_roads


@pytest.fixture(scope="module")
def grid() -> Roads:
    return read_roads(scenario_of({"name": "grid", "rows": 2, "columns": 3}).net_file, ("passenger", "truck"))


def test_entries_and_exits__are_the_arms(grid: Roads) -> None:
    assert len(grid.entries) == len(grid.exits) == 10
    assert "A0_west_A0" in grid.entries
    assert "A0_A0_west" in grid.exits


def test_path__follows_connections_and_is_the_shortest(grid: Roads) -> None:
    for taste in range(TASTES):
        path = grid.path("A0_west_A0", "C0_C0_east", taste)
        assert path == ("A0_west_A0", "A0_B0", "B0_C0", "C0_C0_east")
    for destination in grid.destinations("A0_west_A0", fringe=True).edges:
        for edge, following in pairwise(grid.path("A0_west_A0", destination, 0)):
            assert following in dict(grid.roads[edge].next)


def test_tastes__differ_where_ways_are_alike(grid: Roads) -> None:
    ends = grid.destinations("A0_west_A0", fringe=True).edges
    assert any(len({grid.path("A0_west_A0", end, taste) for taste in range(TASTES)}) > 1 for end in ends)


def test_destinations__do_not_lead_back(grid: Roads) -> None:
    assert "A0_A0_west" not in grid.destinations("A0_west_A0", fringe=True).edges
    assert set(grid.destinations("A0_west_A0", fringe=True).edges) == set(grid.exits) - {"A0_A0_west"}


def test_choice__follows_the_weights() -> None:
    random = np.random.default_rng(1)
    drawn = [Choice(("a", "b", "c"), (1.0, 1.0, 4.0)).draw(random) for _ in range(2000)]
    assert drawn.count("a") == pytest.approx(500, abs=60)
    assert drawn.count("b") == 0


def test_spare_lanes__leave_every_way_open(grid: Roads) -> None:
    assert grid.roads["A0_B0"].lanes == ("A0_B0_0", "A0_B0_1", "A0_B0_2")
    assert grid.roads["A0_B0"].spare == ("A0_B0_1",)  # 0 turns right, 2 turns left


def test_sidewalks__are_found_where_there_are_some(grid: Roads) -> None:
    assert grid.sidewalks == ()
    walkable = read_roads(scenario_of("pedestrians").net_file, ("passenger",))
    assert set(walkable.sidewalks) == set(walkable.roads)
