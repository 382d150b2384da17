from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.registry import scenario_of
from tests.scenarios.driving import types_in, written

MERGE = {"name": "merge", "inflow": 1000, "ramp_inflow": 500}


def counts(text: str) -> dict[str, int]:
    names = [vehicle.get("id", "") for vehicle in ElementTree.fromstring(text).iterfind("vehicle")]
    return {kind: sum(name.startswith(kind) for name in names) for kind in ("main", "ramp")}


def test_amounts__are_vehicles_an_hour(tmp_path: Path) -> None:
    _, text = written({**MERGE, "arrivals": "fixed"}, tmp_path)
    assert counts(text) == {"main": 1000, "ramp": 500}
    _, text = written(MERGE, tmp_path)
    assert counts(text) == {"main": pytest.approx(1000, abs=130), "ramp": pytest.approx(500, abs=90)}


def test_vehicles__stand_in_the_order_of_departure(tmp_path: Path) -> None:
    _, text = written(MERGE, tmp_path)
    departs = [float(vehicle.get("depart", "")) for vehicle in ElementTree.fromstring(text).iterfind("vehicle")]
    assert departs == sorted(departs)
    assert departs[-1] > 3500


def test_seed__says_all(tmp_path: Path) -> None:
    given = {**MERGE, "placement": "random", "penetration": [0, 1], "inflow": [500, 1500]}
    texts = [written(given, tmp_path / str(place), seed)[1] for place, seed in enumerate((1, 1, 2))]
    assert texts[0] == texts[1] != texts[2]


def test_options_of_reset__fix_what_would_be_drawn(tmp_path: Path) -> None:
    given = {**MERGE, "arrivals": "fixed", "inflow": [500, 1500]}
    _, text = written(given, tmp_path, options={"inflow": 800, "ramp_inflow": 0, "penetration": 1})
    assert counts(text) == {"main": 800, "ramp": 0}
    assert set(types_in(text)) == {"agent"}


def test_demand_scale__multiplies_once(tmp_path: Path) -> None:
    episode, text = written({**MERGE, "arrivals": "fixed"}, tmp_path, options={"demand_scale": 0.5})
    assert counts(text) == {"main": 500, "ramp": 250}
    assert episode.scale == 1


def test_penetration__is_one_in_ten(tmp_path: Path) -> None:
    types = types_in(written({**MERGE, "arrivals": "fixed"}, tmp_path)[1])
    assert types.count("agent") == 150


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"inflow": -1}, "inflow=-1: expected a number"),
        ({"inflow": "many"}, "inflow='many'"),
        ({"arrivals": "random"}, "no arrivals 'random'"),
        ({"depart_speed": 31}, "depart_speed=31.0: expected a number, 0 to 30"),
        ({"depart_speed": "max"}, "depart_speed='max'"),
        ({"flow": 100}, "no argument of the scenario 'flow'"),
    ],
)
def test_wrong_inflows__are_said(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of({"name": "merge", **wrong})
