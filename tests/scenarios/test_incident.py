import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios import tools
from sumo_gymnasium.scenarios.incident import Incident, lanes_to_spare
from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.scenarios.scenario import Scenario
from tests.conftest import CASES


def episode(seed: int, folder: Path, options: dict[str, Any] | None = None, **arguments: Any) -> Scenario:
    scenario = scenario_of({"name": "incident", **arguments})
    return scenario.episode(np.random.default_rng(seed), str(folder), options or {})


def incident_of(scenario: Scenario) -> dict[str, str]:
    (file,) = (file for file in scenario.route_files if Path(file).name == "incident.rou.xml")
    found = re.search(r'<stop lane="(?P<lane>[^"]*)" .*duration="(?P<duration>[^"]*)"', Path(file).read_text())
    begin = re.search(r'depart="([^"]*)"', Path(file).read_text())
    assert found
    assert begin
    return {**found.groupdict(), "begin": begin[1]}


def mean_loss(scenario: Scenario, folder: Path) -> float:
    """Mean time loss of all but the vehicle that breaks down, s."""
    trips = folder / "trips.xml"
    files = ["-n", scenario.net_file, "-r", ",".join(scenario.route_files), "--end", "1500"]
    accounts = ["--tripinfo-output", str(trips), "--tripinfo-output.write-unfinished", "--no-step-log"]
    tools.run("sumo", *files, *accounts, "--time-to-teleport", "-1", "--no-warnings")
    rows = re.findall(r'<tripinfo id="([^"]*)".*?timeLoss="([^"]*)"', trips.read_text())
    losses = [float(loss) for vehicle, loss in rows if vehicle != "incident"]
    return sum(losses) / len(losses)


def test_incident__is_drawn_from_the_seed(tmp_path: Path) -> None:
    found = [incident_of(episode(seed, tmp_path)) for seed in (1, 1, *range(2, 10))]
    assert found[0] == found[1]
    assert len({one["lane"] for one in found}) > 3
    for one in found:
        assert one["lane"] in lanes_to_spare(scenario_of("incident").net_file)
        assert 300 <= float(one["begin"]) <= 1200
        assert 600 <= float(one["duration"]) <= 1500


def test_options__fix_the_incident_or_parts_of_it(tmp_path: Path) -> None:
    free = incident_of(episode(1, tmp_path))
    fixed = incident_of(episode(1, tmp_path, {"incident": {"begin": 60, "lane": "J2_J3_0"}}))
    assert fixed == {**free, "begin": "60.00", "lane": "J2_J3_0"}
    assert len(episode(1, tmp_path, {"incident": None}).route_files) == 1


def test_probability__lets_some_episodes_pass(tmp_path: Path) -> None:
    counts = [len(episode(seed, tmp_path, probability=0.5, flow=100).route_files) for seed in range(20)]
    assert {1, 2} == set(counts)


def test_blocked_lane__costs_time(tmp_path: Path) -> None:
    where = {"lane": "J2_J3_1", "begin": 60, "duration": 1200, "position": 1}
    losses = [mean_loss(episode(1, tmp_path, {"incident": one}, flow=2800), tmp_path) for one in (None, where)]
    assert losses[1] > losses[0] + 5


def test_own_net__can_have_incidents(tmp_path: Path) -> None:
    given = {"net_file": scenario_of("grid").net_file, "demand": {"flow": 100}, "incident": {"duration": 100}}
    found = scenario_of(given).episode(np.random.default_rng(1), str(tmp_path), {})
    assert incident_of(found)["duration"] == "100.00"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"lane": 3}, "lane=3: expected a lane's id, or None"),
        ({"lane": "J2_J3_7"}, "no lane that has another one beside it 'J2_J3_7'; did you mean 'J2_J3_"),
        ({"duration": 0}, "duration=0: expected a number, at least 1"),
        ({"position": 2}, "position=2: expected a number, 0 to 1"),
        ({"probability": [0, 1]}, "probability="),
    ],
)
def test_wrong_incident__is_said_at_once(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of({"name": "incident", **wrong})


def test_wrong_options__are_said_at_reset(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="no argument of the incident 'start'"):
        episode(1, tmp_path, {"incident": {"start": 5}})
    with pytest.raises(ScenarioError, match="incident=5: expected a mapping"):
        episode(1, tmp_path, {"incident": 5})


def test_net__without_a_lane_to_spare_is_refused() -> None:
    net = str(CASES / "13-step-length" / "n.net.xml")
    assert not lanes_to_spare(net)
    with pytest.raises(ScenarioError, match="has a lane to spare"):
        scenario_of({"net_file": net, "incident": {}})
    assert Incident.of({"duration": 5}) == Incident(duration=5)
