import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.net import read_net
from sumo_gymnasium.scenarios.programs import active_programs
from sumo_gymnasium.scenarios.registry import scenario_of


def test_grid__has_a_signal_at_each_crossing() -> None:
    net = read_net(scenario_of({"name": "grid", "rows": 2, "columns": 3, "length": 150}).net_file)
    assert list(net.links) == ["A0", "A1", "B0", "B1", "C0", "C1"]
    assert net.junctions["C0"].x - net.junctions["A0"].x == 300


def test_signals__have_phases_for_left_turns_where_these_have_lanes() -> None:
    phases = {}
    for turn_lanes in (0, 1):
        program = active_programs(scenario_of({"name": "grid", "turn_lanes": turn_lanes}).net_file)["A0"]
        phases[turn_lanes] = sum("y" not in state for state in program.states)
    assert phases == {0: 2, 1: 4}


@pytest.mark.parametrize("program", ["static", "actuated", "delay_based"])
def test_program__is_the_one_asked_for(program: str) -> None:
    programs = active_programs(scenario_of({"name": "grid", "program": program}).net_file)
    assert {one.type for one in programs.values()} == {program}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rows": 0}, "rows=0: expected a whole number, 1 to 26"),
        ({"columns": 2.5}, "columns=2.5"),
        ({"length": 5}, "length=5: expected a number, 50 to 5000"),
        ({"program": "webster"}, "no program 'webster'. There are: static"),
        ({"row": 2}, "no argument of the demand 'row'"),
    ],
)
def test_wrong_grid__is_said(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of({"name": "grid", **wrong})
