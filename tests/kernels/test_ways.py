from pathlib import Path

import pytest

from sumo_gymnasium.kernels.ways import Way, Ways
from sumo_gymnasium.scenarios.lane_graph import read_lane_graph
from sumo_gymnasium.scenarios.net import read_net
from tests.kernels.roads import RING, crossing, line, ring


def ways(path: str) -> Ways:
    return Ways(read_net(path), read_lane_graph(path))


def test_way__of_a_line_ends(tmp_path: Path) -> None:
    found = ways(line(tmp_path, (100, 50, 200)))
    way = found.way(("e0", "e1", "e2"))
    assert way.period is None
    assert way.length == pytest.approx(350.2)
    assert way.begins == pytest.approx((0, 100.1, 150.2))
    assert [stretch.lane for stretch in found.ahead(way, 0, "e0_0")] == ["e0_0", ":n1_0_0", "e1_0", ":n2_0_0", "e2_0"]
    assert found.way(["e0", "e1", "e2"]) is way


def test_way__of_a_ring_goes_round(tmp_path: Path) -> None:
    found = ways(ring(tmp_path))
    way = found.way(("top", "left", "bottom", "right"))
    assert way.period == 4
    assert way.begins[2] == 0  # "bottom" is the first in the alphabet
    lanes = list(found.ahead(way, 1, "left_0"))
    assert [stretch.lane for stretch in lanes[::2]] == ["left_0", "bottom_0", "right_0", "top_0", "left_0"]
    assert lanes[-1].begin == pytest.approx(way.length)


@pytest.mark.parametrize("laps", [1, 2, 2.25])
def test_way__of_several_laps_is_one_loop(laps: float, tmp_path: Path) -> None:
    found = ways(ring(tmp_path))
    once = found.way(RING.split())
    edges = [edge for _ in range(3) for edge in RING.split()][: int(4 * laps)]
    way = found.way(edges)
    assert (way.period, way.length) == (4, pytest.approx(once.length))
    assert way.begins == pytest.approx([once.begins[place % 4] for place in range(len(edges))])


def test_ahead__changes_lanes_where_the_route_needs_it(tmp_path: Path) -> None:
    found = ways(crossing(tmp_path))
    way = found.way(("w", "n"))
    lanes = [stretch.lane for stretch in found.ahead(way, 0, "w_0")]
    assert (lanes[0], lanes[-1]) == ("w_0", "n_0")
    assert all(lane.startswith(":c") for lane in lanes[1:-1])
    assert found.origin(lanes[1]) == found.origin("w_0") == "w"


def test_x__is_continuous_through_a_junction(tmp_path: Path) -> None:
    found = ways(crossing(tmp_path))
    way: Way = found.way(("w", "n"))
    end = 0.0
    for stretch in found.ahead(way, 0, "w_0"):
        index = int(stretch.lane == "n_0")
        assert found.x(way, index, stretch.lane, 0) == pytest.approx(end)
        end = found.x(way, index, stretch.lane, found.net.lanes[stretch.lane].length)
    assert end == pytest.approx(way.length)


def test_leads__follows_lanes_without_changing(tmp_path: Path) -> None:
    found = ways(line(tmp_path, (100, 50, 200), lanes=2))
    assert found.leads("e0_1", "e2_1")
    assert found.leads("e0_1", "e0_1")
    assert not found.leads("e0_1", "e1_0")
    assert not found.leads("e1_1", "e0_1")
