from pathlib import Path

import numpy as np
import pytest

from sumo_gymnasium.actions.signal import ChoosePhase
from sumo_gymnasium.agents import Role, Signals
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.envs.loop import DecisionLoop
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.observations.signal import PhaseAndQueues
from sumo_gymnasium.rewards import REWARDS
from sumo_gymnasium.scenarios.registry import SCENARIOS, scenario_of
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.testing.checks import SignalWatch
from tests.conftest import CASES, SMALL

FOLDER = CASES / "13-step-length"
OURS = ("grid", "arterial", "city", "pedestrians", "buses", "incident")
FILES = {"net_file": str(FOLDER / "n.net.xml"), "route_files": str(FOLDER / "n.rou.xml")}


@pytest.mark.parametrize("name", SCENARIOS)
def test_names__stand_for_scenarios(name: str) -> None:
    found = scenario_of(name)
    assert found.name == name
    assert Path(found.net_file).is_file()


def test_mapping__with_a_name_passes_the_rest_on() -> None:
    found = scenario_of({"name": "intersection-uniform", "program": "actuated"})
    assert found.additional_files[0].endswith("actuated.add.xml")


def test_begin_and_end__replace_the_scenarios() -> None:
    found = scenario_of(SMALL, begin=100, end=200)
    assert (found.begin, found.last) == (100, 200)


def test_end__is_an_hour_after_begin_where_nothing_says() -> None:
    assert scenario_of({**FILES, "begin": 100}).last == 3700


def test_files__can_be_one_several_or_separated_by_commas() -> None:
    one, other = FILES["route_files"], str(FOLDER / "n-tau2.5.rou.xml")
    for given in ([one, other], (Path(one), Path(other)), f"{one},{other}"):
        assert scenario_of({**FILES, "route_files": given}).route_files == (one, other)


@pytest.mark.parametrize("name", OURS)
def test_ours__run_with_all_signals_as_agents(name: str, tmp_path: Path) -> None:
    role = Role(Signals(), ChoosePhase(), PhaseAndQueues(), REWARDS["waiting_time_decrease"])
    loop = DecisionLoop(scenario_of(name, end=120), SumoConfig(), [role])
    watch = SignalWatch(*loop.agents)
    loop.hooks = (watch,)
    random = np.random.default_rng(1)
    widths = {agent: len(loop.kernel.traffic_light.phases(agent)) for agent in loop.agents}
    reply = loop.reset(1, str(tmp_path))
    while reply.episode is None:
        reply = loop.step({agent: random.integers(width) for agent, width in widths.items()})
    assert watch.steps == 120
    assert len(widths) >= 4
    assert min(widths.values()) >= 2
    assert reply.episode.kpis["due"]["vehicles"] > 10


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("intersection", "no scenario 'intersection'; did you mean 'intersection-"),
        ("nowhere.sumocfg", "nowhere.sumocfg.* is not accessible"),
        ({"net": "n.net.xml"}, "unknown 'net'; expected some of net_file, route_files"),
        ({"route_files": "n.rou.xml"}, "no 'net_file'"),
        ({**FILES, "net_file": "gone.net.xml"}, "gone.net.xml.* is not accessible"),
        ({**FILES, "begin": 10, "end": 10}, "begin=10, end=10: expected 0 ≤ begin < end"),
        ({**FILES, "begin": -1}, "begin=-1"),
        ({**FILES, "begin": True}, "begin=True: expected seconds"),
        ({**FILES, "end": float("inf")}, "end=inf: expected seconds"),
        ({**FILES, "step_length": 0}, "step_length=0: expected seconds"),
        ({**FILES, "net_file": 5}, "net_file=5: expected a path"),
        ({**FILES, "route_files": 5}, "route_files=5: expected a path, or a sequence"),
        ({**FILES, "route_files": [None]}, "route_files=None: expected a path"),
        ({**FILES, "route_files": ["a,b.rou.xml"]}, "SUMO reads a comma"),
        (3, "scenario=3: expected a name"),
        ("os.path:join", "join"),
        ("os:sep", "scenario 'os:sep' is '/'; expected a Scenario"),
        ({"name": "intersection-uniform", "demand": "peak"}, "multiple values for argument 'demand'"),
    ],
)
def test_what_cannot_be_simulated__is_said(given: object, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of(given)  # type: ignore[arg-type]


def test_scenario__is_taken_as_it_is() -> None:
    scenario = Scenario(**FILES)  # type: ignore[arg-type]
    assert scenario_of(scenario) == scenario
