"""What holds for every scenario for vehicles."""

import inspect
import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from sumo_gymnasium.scenarios.cache import FOLDER
from sumo_gymnasium.scenarios.registry import SCENARIOS, scenario_of
from sumo_gymnasium.scenarios.traffic import STEP_LENGTH
from tests.scenarios.driving import drive, types_in, written

LOOPS = ("ring", "figure_eight")
OPEN = (
    *("merge", "bottleneck", "highway", "highway_ramps", "crossing", "t_junction", "five_way", "roundabout"),
    {"name": "merge", "zipper": True, "lanes": 2},
    {"name": "bottleneck", "toll": True, "meter": True},
    {"name": "highway", "closed_lanes": 1, "exit_speed": 10},
    {"name": "highway_ramps", "lanes": 3, "length": 900, "on_ramps": [100, 500], "off_ramps": [300, 700]},
    *({"name": "crossing", "control": control} for control in ("right_before_left", "allway_stop", "traffic_light")),
    {"name": "five_way", "control": "traffic_light", "lanes": 2},
    {"name": "roundabout", "arms": 6, "radius": 30, "lanes": 2},
)


@pytest.mark.parametrize("given", OPEN, ids=str)
def test_open_scenario__has_traffic_in_motion(given: Any) -> None:
    driven = drive(given, 100)
    assert driven.inserted > 10
    assert driven.arrived > 0
    assert driven.waiting <= driven.inserted / 5
    assert driven.collisions == 0
    assert driven.speed > 2


@pytest.mark.parametrize("name", LOOPS)
def test_loop__has_traffic_in_motion(name: str) -> None:
    driven = drive(name, 60)
    assert driven.inserted > 10
    assert (driven.arrived, driven.collisions) == (0, 0)
    assert driven.speed > 2


@pytest.mark.parametrize("given", [*LOOPS, *OPEN], ids=str)
def test_same_seed__gives_the_same_vehicles(given: Any, tmp_path: Path) -> None:
    random = {**(given if isinstance(given, dict) else {"name": given}), "placement": "random", "penetration": 0.3}
    texts = [written(random, tmp_path / str(place), seed)[1] for place, seed in enumerate((1, 1, 2))]
    assert texts[0] == texts[1] != texts[2]
    assert set(types_in(texts[0])) == {"human", "agent"}


@pytest.mark.parametrize("given", [*LOOPS, *OPEN], ids=str)
def test_scenario__is_json_and_can_be_pickled(given: Any) -> None:
    found = scenario_of(json.loads(json.dumps(given)))
    assert pickle.loads(pickle.dumps(found)) == found == scenario_of(given)
    assert found.step_length == STEP_LENGTH


@pytest.mark.parametrize("name", [*LOOPS, *(given for given in OPEN if isinstance(given, str))])
def test_network__is_built_once_and_kept(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    first = scenario_of(name).net_file
    stamp = Path(first).stat().st_mtime_ns
    assert scenario_of(name).net_file == first
    assert Path(first).stat().st_mtime_ns == stamp
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", [*LOOPS, "merge", "bottleneck", "highway", "highway_ramps", "crossing", "roundabout"])
def test_page__lists_every_argument(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text("utf-8")
    (row,) = (line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
    arguments = inspect.signature(SCENARIOS[name]).parameters
    assert {one for one in arguments if one not in ("traffic", "drivers")} <= set(re.findall(r"`([a-z_]+)`", row))
