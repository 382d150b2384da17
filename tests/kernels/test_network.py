from itertools import pairwise
from pathlib import Path

import pytest

from sumo_gymnasium.backends.libsumo import libsumo
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.generate import netconvert, netgenerate
from sumo_gymnasium.scenarios.scenario import Scenario
from tests.conftest import CASES, Make

TWIN = CASES / "05-joined-index-gaps"
SQUARE = CASES / "06-peds-mixed-modes"


def kernel_of(net: str) -> Kernel:
    return Kernel(Scenario(net_file=net), SumoConfig())


def test_lanes__have_what_the_file_says() -> None:
    network = kernel_of(str(TWIN / "a-joined.net.xml")).network
    assert network.speed_limit("w2P_0") == 13.9
    assert network.length("w2P_0") == network.length("w2P_1")
    assert set(network.next_lanes("w2P_1")) == {"mid_e_1", "P2n_0"}
    assert "w2P_1" in network.previous_lanes("mid_e_1")
    assert network.edges["mid_e"].origin == "P"
    assert network.edges["mid_e"].lanes == ("mid_e_0", "mid_e_1")
    assert network.junctions["Q"].type == "traffic_light"


def test_lanes__for_pedestrians_are_told_from_those_for_vehicles() -> None:
    network = kernel_of(str(SQUARE / "a-scramble.net.xml")).network
    assert not network.lanes["E_in_0"].vehicles
    assert network.lanes["E_in_1"].vehicles
    assert network.edges[":sq_c0"].function == "crossing"


def test_unknown_lane__is_a_key_error() -> None:
    with pytest.raises(KeyError):
        kernel_of(str(TWIN / "a-joined.net.xml")).network.length("nowhere_0")


@pytest.mark.parametrize("backend", ["libsumo", "traci"])
def test_readings__add_up_to_the_vehicles(backend: str, make: Make) -> None:
    files = {"net_file": str(TWIN / "a-joined.net.xml"), "route_files": str(TWIN / "a.rou.xml")}
    env = make(files, backend=backend, end=200)
    env.reset(seed=1)
    for _ in range(39):
        env.step(0)
    env.unwrapped.query(check)


def check(kernel: Kernel) -> None:
    network = kernel.network
    seen = [vehicle for lane in network.lanes for vehicle in network.vehicles(lane)]
    assert sorted(seen) == sorted(kernel.vehicle.ids)
    assert any(network.queue_length(lane) for lane in network.lanes)
    for lane in network.lanes:
        vehicles = network.vehicles(lane)
        speeds = [kernel.vehicle.speed(vehicle) for vehicle in vehicles]
        assert network.vehicle_count(lane) == len(vehicles)
        assert network.queue_length(lane) == sum(speed < 0.1 for speed in speeds)
        assert network.mean_speed(lane) == (pytest.approx(sum(speeds) / len(speeds)) if speeds else None)
        assert 0 <= network.occupancy(lane) <= 1


def test_readings__are_read_once_a_step(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    env = make(end=100)
    env.reset(seed=1)
    env.step(0)
    asked = []
    real = libsumo.lane.getLastStepVehicleNumber
    monkeypatch.setattr(libsumo.lane, "getLastStepVehicleNumber", lambda lane: asked.append(lane) or real(lane))
    kernel = env.unwrapped._host.loop.kernel
    lane = kernel.traffic_light.incoming_lanes(env.unwrapped.agent)[0]
    for _ in range(3):
        kernel.network.vehicle_count(lane)
        kernel.network.vehicles(lane)
    assert len(asked) <= 1


def test_neighbours__are_next_to_each_other_over_junctions_without_signal(tmp_path: Path) -> None:
    network = kernel_of(one_way_road(tmp_path, signals="ACDE")).network
    assert network.neighbours("A") == ("C",)  # past B, which has no signal
    assert network.neighbours("C") == ("D", "A")  # the nearest first, against the traffic too; E is past D
    assert network.neighbours("D") == ("C", "E")
    with pytest.raises(KeyError):
        network.neighbours("B")


def one_way_road(folder: Path, signals: str) -> str:
    """Junctions W A B C D E X in a row, 100 m apart."""
    names = "WABCDEX"
    kinds = {name: "traffic_light" if name in signals else "priority" for name in names}
    nodes = (f'<node id="{name}" x="{100 * place}" y="0" type="{kinds[name]}"/>' for place, name in enumerate(names))
    edges = (f'<edge id="{a}{b}" from="{a}" to="{b}"/>' for a, b in pairwise(names))
    (folder / "n.nod.xml").write_text(f"<nodes>{''.join(nodes)}</nodes>")
    (folder / "n.edg.xml").write_text(f"<edges>{''.join(edges)}</edges>")
    return str(netconvert(folder / "n.net.xml", nodes=folder / "n.nod.xml", edges=folder / "n.edg.xml"))


def test_neighbours__of_a_grid_are_those_around(tmp_path: Path) -> None:
    net = netgenerate(
        tmp_path / "g.net.xml", "--grid", "--grid.number=3", "-j", "traffic_light", "--grid.attach-length=50"
    )
    network = kernel_of(str(net)).network
    assert network.neighbours("A0") == ("A1", "B0")
    assert network.neighbours("B1") == ("A1", "B0", "B2", "C1")
    assert network.neighbours("bottom0") == ()  # a dead end, where one can only turn round
