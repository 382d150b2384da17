import gzip
from pathlib import Path

from sumo_gymnasium.scenarios.lane_graph import read_lane_graph
from sumo_gymnasium.scenarios.net import read_net
from tests.conftest import CASES

NETS = [path for path in sorted(CASES.rglob("*.net.xml")) if "bad-inputs" not in str(path)]


def test_graph__leads_across_junctions_to_the_lanes_of_the_net() -> None:
    for path in NETS:
        net, graph = read_net(str(path)), read_lane_graph(str(path))
        for lane, successors in graph.following.items():
            assert lane in net.lanes
            for successor in successors:
                assert lane in graph.preceding[successor.lane]
                at = successor.lane
                while at.startswith(":"):  # through the junction
                    (follows,) = graph.following[at]
                    at = follows.lane
                assert at == successor.target


def test_graph__has_each_connection_of_vehicles_once() -> None:
    path = NETS[0]
    net, graph = read_net(str(path)), read_lane_graph(str(path))
    for lane, its in net.lanes.items():
        if its.vehicles and not lane.startswith(":"):
            targets = [successor.target for successor in graph.following.get(lane, ())]
            assert set(targets) <= set(its.next)
            assert {lane for lane in its.next if net.lanes[lane].vehicles} <= set(targets)


def test_graph__is_read_from_a_packed_file_too(tmp_path: Path) -> None:
    plain = NETS[0]
    packed = tmp_path / "packed.net.xml.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_lane_graph(str(packed)) == read_lane_graph(str(plain))
