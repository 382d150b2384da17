from pathlib import Path
from typing import Any

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.loops import ways
from sumo_gymnasium.scenarios.net import read_net
from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.scenarios.ring import SIDES, Ring
from tests.scenarios.driving import drive, types_in, written

RANGE = {"name": "ring", "length": [220, 270]}


def length_of(net_file: str, ring: int = 0) -> float:
    (way,) = ways(net_file, [[f"ring{ring}_{side}" for side in SIDES]])
    return sum(map(sum, way))


@pytest.mark.parametrize(("length", "speed"), [(230.0, 3.4541), (260.0, 4.8159)])
def test_idm__drives_at_the_speed_of_equilibrium(length: float, speed: float) -> None:
    """22 vehicles of 5 m, s = (L - 110) / 22 = (s0 + vT) / sqrt(1 - (v/v0)^4); without noise no wave (Treiber 2000)."""
    speeds: list[float] = []

    def look(kernel: Kernel) -> None:
        if kernel.simulation.time > 299:
            speeds.extend(map(kernel.vehicle.speed, kernel.vehicle.ids))

    drive({"name": "ring", "length": length}, 300, look)
    assert len(speeds) >= 22 * 9
    assert (min(speeds), max(speeds)) == (pytest.approx(speed, abs=1e-4), pytest.approx(speed, abs=1e-4))


def test_noisy_drivers__make_a_wave() -> None:
    speeds: list[float] = []

    def look(kernel: Kernel) -> None:
        if kernel.simulation.time > 200:
            speeds.extend(map(kernel.vehicle.speed, kernel.vehicle.ids))

    drive({"name": "ring", "driver": "EIDM"}, 300, look)
    assert min(speeds) < 0.5
    assert max(speeds) > 5


@pytest.mark.parametrize("lanes", [1, 3])
def test_length__is_that_around_the_ring_on_every_lane(lanes: int) -> None:
    net_file = scenario_of({"name": "ring", "length": 300, "lanes": lanes}).net_file
    assert length_of(net_file) == pytest.approx(300, abs=0.02)
    net = read_net(net_file)
    assert {len(net.edges[f"ring0_{side}"].lanes) for side in SIDES} == {lanes}
    for edge in net.edges.values():
        assert len({net.lanes[lane].length for lane in edge.lanes}) == 1


def test_rings__have_vehicles_of_their_own() -> None:
    given = {"name": "ring", "rings": 7, "vehicles": 10, "lanes": 2}
    driven = drive(given, 60)
    assert (driven.inserted, driven.arrived, driven.collisions) == (70, 0, 0)
    assert driven.speed > 3
    assert length_of(scenario_of(given).net_file, 6) == pytest.approx(230, abs=0.02)


def test_drawn_length__gives_another_network_with_the_same_lanes(tmp_path: Path) -> None:
    base = scenario_of(RANGE)
    drawn = [written(base, tmp_path / str(seed), seed)[0].net_file for seed in range(4)]
    lengths = [length_of(net) for net in drawn]
    assert length_of(base.net_file) == pytest.approx(270, abs=0.02)
    assert len(set(drawn)) > 1
    assert all(219.9 < length < 270.1 and abs(length - round(length)) < 0.02 for length in lengths)
    for net in map(read_net, drawn):
        ours = read_net(base.net_file)
        assert (list(net.lanes), list(net.edges), net.links) == (list(ours.lanes), list(ours.edges), ours.links)


def test_drawn_length__follows_the_seed_and_the_option(tmp_path: Path) -> None:
    one, other = (written(RANGE, tmp_path / name, seed=3) for name in ("one", "other"))
    assert (one[0].net_file, one[1]) == (other[0].net_file, other[1])
    fixed, _ = written(RANGE, tmp_path / "fixed", seed=3, options={"length": 250})
    assert length_of(fixed.net_file) == pytest.approx(250, abs=0.02)


def test_drawn_length__runs() -> None:
    driven = drive(RANGE, 60)
    assert (driven.inserted, driven.collisions) == (22, 0)
    assert driven.speed > 2


def test_one_in_all__is_an_agent(tmp_path: Path) -> None:
    assert types_in(written("ring", tmp_path)[1]).count("agent") == 1


def test_platoon__says_who_is_an_agent(tmp_path: Path) -> None:
    _, text = written({"name": "ring", "placement": "(agent human*10)*2"}, tmp_path)
    assert [place for place, kind in enumerate(types_in(text)) if kind == "agent"] == [0, 11]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"length": 5}, "length=5: expected a number, at least|length=5: expected a number, 40"),
        ({"length": [270, 220]}, r"length=\[270, 220\]: expected a number, or \(low, high\)"),
        ({"lanes": 0}, "lanes=0"),
        ({"rings": 0}, "rings=0"),
        ({"vehicles": 0}, "vehicles=0"),
        ({"vehicles": 50}, "vehicles=50: 50 of them one behind the other need 6 m each, a loop has 230 m"),
        ({"length": [100, 270]}, "a loop has 100 m"),
        ({"depart_speed": 40}, "depart_speed=40: expected a number, 0 to 30"),
        ({"speed_limit": 0}, "speed_limit=0"),
        ({"placement": "agent human*20"}, "names 21 vehicles, vehicles=22"),
        ({"size": 3}, "no argument of the scenario 'size'"),
    ],
)
def test_wrong_ring__is_said(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of({"name": "ring", **wrong})


def test_length_option__without_room_is_said(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="a loop has 60 m"):
        written("ring", tmp_path, options={"length": 60})
    assert isinstance(scenario_of("ring").variation, Ring)
