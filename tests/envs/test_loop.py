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
    act = ChoosePhase() if action == "phase" else KeepProgram()
    role = Role(Signals(), act, PhaseAndQueues(), REWARDS["waiting_time_decrease"])
    loop = DecisionLoop(found, SumoConfig(), [role])
    loop.hooks = (SignalWatch(*loop.agents),) if action == "phase" else ()
    return loop


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


def test_steps__in_one_go_are_those_that_a_hook_would_see(tmp_path: Path) -> None:
    settings = SumoConfig(step_length=0.5, max_green=12, all_red=1)
    role = Role(Signals(), ChoosePhase(), PhaseAndQueues(), REWARDS["waiting_time_decrease"])
    found = scenario_of("resco-cologne3", end=25400)
    seen = []
    for hooks in ([], [lambda kernel: None]):
        loop = DecisionLoop(found, settings, [role], hooks)
        random = np.random.default_rng(1)
        replies = [loop.reset(1, str(tmp_path))]
        while replies[-1].episode is None:
            replies.append(loop.step({agent: random.integers(2) for agent in loop.agents}))
            if replies[-1].episode is None:
                assert loop.query(lambda kernel: kernel.simulation.step) == 10 * (len(replies) - 1)
        seen.append(repr(replies))
    assert seen[0] == seen[1]


def test_config__decides_the_step_length(tmp_path: Path) -> None:
    loop = DecisionLoop(scenario_of("intersection-uniform"), SumoConfig(step_length=0.5), [])
    loop.reset(1, str(tmp_path))
    loop.step({})
    assert loop.query(lambda kernel: (kernel.simulation.step, kernel.simulation.time)) == (10, 5.0)
    loop.close()


def test_loop__can_be_asked_nothing_when_it_does_not_run(tmp_path: Path) -> None:
    loop = DecisionLoop(read_sumocfg(SMALL), SumoConfig(), [])
    for call in (lambda: loop.step({}), loop.finish, lambda: loop.query(print)):
        with pytest.raises(NotRunning, match=r"call reset\(\) first"):
            call()
