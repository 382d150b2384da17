from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.net import read_net
from sumo_gymnasium.scenarios.registry import scenario_of
from tests.scenarios.driving import written

LONG = {"name": "highway_ramps", "length": 900, "on_ramps": [500, 100], "off_ramps": [300, 700], "arrivals": "fixed"}


def test_ramps__meet_the_highway_where_asked() -> None:
    net = read_net(scenario_of(LONG).net_file)
    assert [net.lanes[f"highway{part}_0"].length for part in range(5)] == [100, 200, 200, 200, 200]
    assert net.lanes["on1_0"].next == ("highway3_0",)
    assert net.lanes["highway1_0"].next == ("off0_0", "highway2_0")


def test_exit_probability__is_that_of_each_off_ramp(tmp_path: Path) -> None:
    _, text = written({**LONG, "inflow": 4000, "exit_probability": 0.25}, tmp_path)
    root = ElementTree.fromstring(text)
    ends = {route.get("id"): route.get("edges", "").split()[-1] for route in root.iterfind("route")}
    main = [ends[one.get("route")] for one in root.iterfind("vehicle") if one.get("id", "").startswith("main")]
    shares = [main.count(end) / len(main) for end in ("off0", "off1", "highway4")]
    assert shares == [pytest.approx(0.25, abs=0.03), pytest.approx(0.1875, abs=0.03), pytest.approx(0.5625, abs=0.03)]


@pytest.mark.parametrize(("share", "ends"), [(0, {"highway4"}), (1, {"off0", "off1"})])
def test_nobody_or_everybody__exits(share: float, ends: set[str], tmp_path: Path) -> None:
    _, text = written({**LONG, "exit_probability": share}, tmp_path)
    routes = ElementTree.fromstring(text).iterfind("route")
    assert {route.get("edges", "").split()[-1] for route in routes} == ends


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"on_ramps": 100}, "on_ramps=100: expected a sequence of metres"),
        ({"on_ramps": [190]}, "ramps 'on0' and 'off0' are 10 m apart; expected 20 m"),
        ({"off_ramps": [295]}, "off_ramps=295: expected a number, 20 to 280"),
        ({"exit_probability": 2}, "exit_probability=2: expected a number, 0 to 1"),
        ({"ramp": 0}, "ramp=0"),
    ],
)
def test_wrong_ramps__are_said(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of({"name": "highway_ramps", **wrong})
