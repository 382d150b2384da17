import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.net import read_net
from sumo_gymnasium.scenarios.programs import active_programs
from sumo_gymnasium.scenarios.registry import scenario_of


def test_signals__differ_in_links_and_phases() -> None:
    net_file = scenario_of("city").net_file
    programs = active_programs(net_file).values()
    assert len(programs) >= 10
    assert len({sum("y" not in state for state in program.states) for program in programs}) >= 3
    assert len({len(links) for links in read_net(net_file).links.values()}) >= 5
    assert all(read_net(net_file).links.values())  # no signal without links


def test_layout__is_another_city() -> None:
    assert scenario_of("city").net_file == scenario_of({"name": "city", "layout": 1}).net_file
    assert scenario_of("city").net_file != scenario_of({"name": "city", "layout": 2}).net_file


@pytest.mark.parametrize("wrong", [{"layout": -1}, {"size": 1}, {"size": "big"}])
def test_wrong_city__is_said(wrong: dict[str, object]) -> None:
    with pytest.raises(ScenarioError, match=f"{next(iter(wrong))}=.*expected a whole number"):
        scenario_of({"name": "city", **wrong})
