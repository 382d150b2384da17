"""The decision loop with many agents, as PettingZoo's envs will have it."""

from pathlib import Path

import numpy as np
import pytest

from sumo_gymnasium.actions.signal import ChoosePhase, KeepProgram
from sumo_gymnasium.agents import Role, Signals
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.envs.loop import DecisionLoop
from sumo_gymnasium.errors import NotRunning
from sumo_gymnasium.observations.signal import PhaseAndQueues
from sumo_gymnasium.rewards import REWARDS
from sumo_gymnasium.scenarios.registry import ScenarioLike, scenario_of
from sumo_gymnasium.scenarios.sumocfg import read_sumocfg
from sumo_gymnasium.testing.checks import SignalWatch
from tests.conftest import CASES, SMALL

LARGE = {
    "net_file": str(CASES / "17-large-grid" / "grid324.net.xml.gz"),
    "route_files": str(CASES / "17-large-grid" / "grid324.rou.xml.gz"),
}


def all_signals(scenario: ScenarioLike, end: float, action: str = "phase") -> DecisionLoop:
    found = scenario_of(scenario, end=end)
    config = SumoConfig()
    loop = DecisionLoop(found, config, [])
    signals = loop.kernel.traffic_light
    ids = tuple(signal for signal in signals.ids if signals.phases(signal))
    act = ChoosePhase() if action == "phase" else KeepProgram()
    role = Role(Signals(ids), act, PhaseAndQueues(), REWARDS["waiting_time_decrease"])
    return DecisionLoop(found, config, [role], hooks=[SignalWatch(*ids)] if action == "phase" else [])


def test_large_grid__runs_with_all_324_signals_as_agents(tmp_path: Path) -> None:
    loop = all_signals(LARGE, end=60)
    reply = loop.reset(1, str(tmp_path))
    assert len(reply.outcomes) == 324
    random = np.random.default_rng(1)
    widths = {agent: len(loop.kernel.traffic_light.phases(agent)) for agent in reply.outcomes}
    while reply.episode is None:
        reply = loop.step({agent: random.integers(width) for agent, width in widths.items()})
        for agent, outcome in reply.outcomes.items():
            assert outcome.info["phase"] < widths[agent]
            assert np.isfinite(outcome.reward)
    assert reply.time == 60
    assert all(outcome.truncated and "kpis" in outcome.info for outcome in reply.outcomes.values())


def test_agents__that_are_asked_nothing_leave_the_traffic_as_it_is(tmp_path: Path) -> None:
    kpis = []
    for loop in (
        all_signals("resco-cologne3", 25500, action="program"),
        DecisionLoop(scenario_of("resco-cologne3", end=25500), SumoConfig(), []),
    ):
        reply = loop.reset(1, str(tmp_path))
        while reply.episode is None:
            reply = loop.step({})
        kpis.append(reply.episode.kpis)
    assert kpis[0] == kpis[1]


def test_loop__can_be_asked_nothing_when_it_does_not_run(tmp_path: Path) -> None:
    loop = DecisionLoop(read_sumocfg(SMALL), SumoConfig(), [])
    for call in (lambda: loop.step({}), loop.finish, lambda: loop.query(print)):
        with pytest.raises(NotRunning, match=r"call reset\(\) first"):
            call()
