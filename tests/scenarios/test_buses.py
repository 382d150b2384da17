import re
from pathlib import Path

import numpy as np
import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios import tools
from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.scenarios.scenario import Scenario


def episode(folder: Path, seed: int = 1, **arguments: float) -> Scenario:
    scenario = scenario_of({"name": "buses", **arguments})
    return scenario.episode(np.random.default_rng(seed), str(folder), {})


def departs(scenario: Scenario) -> list[float]:
    return [
        float(time) for time in re.findall(r'_bus\d+".* depart="([^"]*)"', Path(scenario.route_files[1]).read_text())
    ]


def test_passengers__ride_the_line_they_wait_for(tmp_path: Path) -> None:
    found = episode(tmp_path)
    trips = tmp_path / "trips.xml"
    files = ["-n", found.net_file, "-r", ",".join(found.route_files), "-a", *found.additional_files, "--end", "1500"]
    tools.run("sumo", *files, "--tripinfo-output", str(trips), "--no-step-log")
    rides = re.findall(r'<ride [^>]*vehicle="(\w+?)_bus', trips.read_text())
    assert len(rides) > 30
    assert set(rides) == {"east", "west"}
    stops = [float(time) for time in re.findall(r'id="east_bus.*?stopTime="([^"]*)"', trips.read_text())]
    assert stops
    assert min(stops) >= 6 * 15  # at each of six stops


def test_buses__keep_the_timetable_but_for_what_they_are_late(tmp_path: Path) -> None:
    sharp = departs(episode(tmp_path, late=0, headway=600))
    assert sharp == list(np.arange(0, 3600, 300.0))  # two lines, in turn
    late = np.array(departs(episode(tmp_path, late=60, headway=600))) - sharp
    assert (late >= 0).all()
    assert (late <= 60).all()
    assert late.std() > 5


def test_demand_scale__leaves_the_timetable_alone(tmp_path: Path) -> None:
    scenario = scenario_of("buses")
    found = [scenario.episode(np.random.default_rng(1), str(tmp_path), {"demand_scale": scale}) for scale in (1, 3)]
    assert departs(found[0]) == departs(found[1])
    assert [one.scale for one in found] == [1, 1]


@pytest.mark.parametrize("wrong", [{"headway": 1}, {"late": 500}, {"passengers": -1}, {"flow": "much"}])
def test_wrong_buses__are_said(wrong: dict[str, object]) -> None:
    with pytest.raises(ScenarioError, match=f"{next(iter(wrong))}=.*expected a number"):
        scenario_of({"name": "buses", **wrong})
