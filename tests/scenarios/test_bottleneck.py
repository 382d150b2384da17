from typing import Any

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.bottleneck import EDGES, LENGTHS
from sumo_gymnasium.scenarios.net import read_net
from sumo_gymnasium.scenarios.programs import active_programs
from sumo_gymnasium.scenarios.registry import scenario_of
from tests.scenarios.driving import drive


@pytest.mark.parametrize("scaling", [1, 2])
def test_lanes__halve_twice(scaling: int) -> None:
    net = read_net(scenario_of({"name": "bottleneck", "scaling": scaling}).net_file)
    assert [len(net.edges[edge].lanes) for edge in EDGES] == [
        4 * scaling,
        4 * scaling,
        4 * scaling,
        2 * scaling,
        scaling,
    ]
    assert [net.lanes[f"{edge}_0"].length for edge in EDGES] == list(LENGTHS)
    for edge, following in (("metered", "narrow"), ("narrow", "exit")):
        ways = [net.lanes[lane].next for lane in net.edges[edge].lanes]
        assert ways == [(f"{following}_{place // 2}",) for place in range(len(ways))]


def test_toll_and_meter__are_signals_that_let_the_lanes_go_by_turns() -> None:
    found = scenario_of({"name": "bottleneck", "toll": True, "meter": True})
    programs = active_programs(found.net_file)
    assert {name: program.states for name, program in programs.items()} == dict.fromkeys(
        ("meter", "toll"), ("GrGr", "yryr", "rGrG", "ryry")
    )
    assert read_net(scenario_of("bottleneck").net_file).links == {}


@pytest.mark.slow
def test_outflow__has_the_capacity_that_flow_had() -> None:
    """1541 to 1548 veh/h at an inflow of 2300 or more, all that comes in at 1600 (Vinitsky et al. 2018)."""
    flows = {}
    for inflow in (1600, 2300):
        given = {"name": "bottleneck", "inflow": inflow, "arrivals": "fixed", "depart_speed": 10}
        until = [drive(given, seconds, step_length=0.5).arrived for seconds in (500, 1300)]
        flows[inflow] = (until[1] - until[0]) / 800 * 3600
    assert 1520 < flows[2300] < 1565
    assert 1560 < flows[1600] < 1610


@pytest.mark.parametrize(
    ("wrong", "message"), [({"scaling": 0}, "scaling=0"), ({"speed_limit": "fast"}, "speed_limit='fast'")]
)
def test_wrong_bottleneck__is_said(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of({"name": "bottleneck", **wrong})
