import json
import pickle
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.demand import RandomDemand, departures
from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.scenarios.scenario import Scenario
from tests.conftest import CASES

NET = str(CASES / "13-step-length" / "n.net.xml")


def episode(given: Any, seed: int, folder: Path, options: dict[str, Any] | None = None) -> Scenario:
    folder.mkdir(exist_ok=True)
    return scenario_of(given).episode(np.random.default_rng(seed), str(folder), options or {})


def routes(scenario: Scenario) -> str:
    return "".join(Path(file).read_text() for file in scenario.route_files)


def departs(scenario: Scenario) -> list[float]:
    return [float(time) for time in re.findall(r'<vehicle [^>]*depart="([^"]*)"', routes(scenario))]


@pytest.mark.parametrize("name", ["grid", "arterial", "city", "pedestrians", "buses", "incident"])
def test_seed__decides_the_routes_bit_for_bit(name: str, tmp_path: Path) -> None:
    first, again, other = (episode(name, seed, tmp_path / str(place)) for place, seed in enumerate((1, 1, 2)))
    assert routes(first) == routes(again) != routes(other)
    assert first.net_file == other.net_file == scenario_of(name).net_file


def test_departures__are_sorted_and_as_many_as_asked_for() -> None:
    for arrivals in ("poisson", "fixed"):
        times = departures(np.random.default_rng(1), 3600, (1.0,), 100, 3700, arrivals)
        assert times == sorted(times)
        assert len(times) == pytest.approx(3600, abs=180)
        assert 100 <= times[0] < times[-1] < 3700


def test_departures__follow_the_profile() -> None:
    times = departures(np.random.default_rng(1), 3600, (0.5, 0.0, 1.5), 0, 3600, "poisson")  # and again 0.5
    parts = Counter(int(time // 900) for time in times)
    assert parts[1] == 0
    assert [parts[part] for part in (0, 2, 3)] == pytest.approx([450, 1350, 450], rel=0.2)


def test_time_headways__are_alike_or_scattered() -> None:
    fixed, poisson = (
        np.diff(departures(np.random.default_rng(1), 360, (1.0,), 0, 36000, arrivals))
        for arrivals in ("fixed", "poisson")
    )
    assert np.allclose(fixed, 10, atol=0.02)
    assert np.std(poisson) == pytest.approx(10, rel=0.1)  # as the exponential distribution has it


def test_demand_scale__of_reset_scales_what_is_drawn(tmp_path: Path) -> None:
    half, whole = (episode("grid", 1, tmp_path, options) for options in ({"demand_scale": 0.5}, {"demand_scale": 1}))
    assert half.scale == whole.scale == 1
    assert len(departs(episode("grid", 1, tmp_path, {"demand_scale": 0.5}))) == pytest.approx(900, abs=120)
    assert len(departs(episode("grid", 1, tmp_path, {"demand_scale": 1}))) == pytest.approx(1800, abs=170)


def test_demand_scale__drawn_from_a_range_gives_way_to_that_of_reset(tmp_path: Path) -> None:
    ranged = {"name": "grid", "flow": 1000, "demand_scale": [0.1, 1.0]}
    counts = [len(departs(episode(ranged, seed, tmp_path))) for seed in range(16)]
    assert min(counts) < 350
    assert max(counts) > 800
    fixed, plain = {"demand_scale": 1.0}, {"name": "grid", "flow": 1000}
    assert routes(episode(ranged, 3, tmp_path, fixed)) == routes(episode(plain, 3, tmp_path / "plain"))


def test_profile__of_reset_is_used(tmp_path: Path) -> None:
    for profile in ("rising", [0.6, 0.9, 1.1, 1.4]):
        parts = Counter(int(time // 900) for time in departs(episode("grid", 1, tmp_path, {"profile": profile})))
        assert parts[0] < 0.6 * parts[3]


def test_profile__is_drawn_where_there_are_several(tmp_path: Path) -> None:
    given = {"name": "grid", "profile": ["rising", "falling"]}
    rises = set()
    for seed in range(8):
        parts = Counter(int(time // 900) for time in departs(episode(given, seed, tmp_path)))
        rises.add(parts[0] < parts[3])
    assert rises == {True, False}


def test_own_net__gets_demand_by_a_mapping_of_json(tmp_path: Path) -> None:
    given = json.loads(json.dumps({"net_file": NET, "end": 600, "demand": {"flow": 900, "trucks": 0}}))
    found = episode(given, 1, tmp_path)
    assert len(departs(found)) == pytest.approx(150, abs=50)
    assert max(departs(found)) < 600
    assert "drawn_truck" not in routes(found).replace('<vType id="drawn_truck"', "")


def test_own_routes__stay_beside_the_drawn_ones(tmp_path: Path) -> None:
    own = str(CASES / "13-step-length" / "n.rou.xml")
    found = episode({"net_file": NET, "route_files": own, "demand": {"flow": 100}}, 1, tmp_path)
    assert found.route_files[0] == own
    assert len(found.route_files) == 2


def test_weights__draw_the_demand_to_an_entry(tmp_path: Path) -> None:
    given = {"name": "grid", "weights": {"A0_west_A0": 11}}
    origins = Counter(re.findall(r'edges="(\S+)', routes(episode(given, 1, tmp_path))))
    assert origins["A0_west_A0"] / origins.total() == pytest.approx(0.5, abs=0.05)


def test_trucks__are_the_share_asked_for(tmp_path: Path) -> None:
    text = routes(episode({"name": "grid", "trucks": 0.3}, 1, tmp_path))
    kinds = Counter(re.findall(r'<vehicle [^>]*type="(\w+)"', text))
    assert kinds["drawn_truck"] / kinds.total() == pytest.approx(0.3, abs=0.05)


def test_demand__pickles_and_compares() -> None:
    demand = RandomDemand.of({"profile": [1, 2], "weights": {"a": 1}})
    assert pickle.loads(pickle.dumps(demand)) == demand


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"flow": -1}, "flow=-1: expected a number"),
        ({"flows": 1}, "no argument of the demand 'flows'; did you mean 'flow'"),
        ({"profile": "peek"}, "no profile 'peek'; did you mean 'peak'"),
        ({"profile": []}, r"profile=\[\]: expected one of constant"),
        ({"profile": ["peak", 1]}, "profile='peak': expected a number"),
        ({"demand_scale": [2, 1]}, r"demand_scale=\[2, 1\]: expected a number, or \(low, high\)"),
        ({"arrivals": "random"}, "no arrivals 'random'"),
        ({"trucks": 1.5}, "trucks=1.5: expected a number, 0 to 1"),
        ({"weights": 3}, "weights=3: expected a mapping"),
        ({"weights": {"A0_west": 3}}, "no edge at the fringe 'A0_west'; did you mean 'A0_west_A0'"),
        ({"walks": 10}, "it has no sidewalks; build it with --sidewalks.guess"),
    ],
)
def test_wrong_demand__is_said_at_once(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of({"name": "grid", **wrong})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"demand_scale": "big"}, "demand_scale='big'"),
        ({"profile": "peek"}, "no profile 'peek'"),
    ],
)
def test_wrong_options__are_said_at_reset(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        episode("grid", 1, tmp_path, options)


def test_net__on_which_nobody_can_drive_is_refused(tmp_path: Path) -> None:
    net = tmp_path / "one.net.xml"
    net.write_text(
        '<net version="1.20"><edge id="a" from="x" to="y"><lane id="a_0" index="0" speed="9" length="50" '
        'shape="0,0 50,0"/></edge><junction id="x" type="dead_end" x="0" y="0" incLanes="" intLanes="" shape="0,0"/>'
        '<junction id="y" type="dead_end" x="50" y="0" incLanes="a_0" intLanes="" shape="50,0"/></net>'
    )
    with pytest.raises(ScenarioError, match="no two edges"):
        scenario_of({"net_file": str(net), "demand": {"flow": 10}})
