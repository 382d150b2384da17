"""Several signals as agents: PettingZoo's own tests, and decisions at different times."""

import dataclasses
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from sumo_gymnasium import traffic_light_v0
from sumo_gymnasium.actions.durations import GreenDuration
from sumo_gymnasium.controllers import CONTROLLERS
from sumo_gymnasium.envs.parallel import ParallelAgentsEnv
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.rewards import Weighted
from tests.conftest import CASES

LARGE = {
    "net_file": str(CASES / "17-large-grid" / "grid324.net.xml.gz"),
    "route_files": str(CASES / "17-large-grid" / "grid324.rou.xml.gz"),
}
NETS: dict[str, tuple[Any, float, int]] = {
    "grid": ("grid", 60, 9),
    "cologne3": ("resco-cologne3", 25260, 3),
    "cologne8": ("resco-cologne8", 25260, 8),
    "ingolstadt21": ("resco-ingolstadt21", 57630, 21),
    "arterial4x4": ("resco-arterial4x4", 60, 16),
    "grid324": (LARGE, 20, 324),
}
THREE = ("360082", "360086", "GS_cluster_2415878664_254486231_359566_359576")  # cologne3's signals


@pytest.mark.parametrize("name", NETS)
def test_parallel_env__passes_pettingzoos_test(name: str) -> None:
    scenario, end, count = NETS[name]
    env = traffic_light_v0.parallel_env(scenario=scenario, end=end)
    assert len(env.possible_agents) == count
    parallel_api_test(env, num_cycles=20)
    env.close()


@pytest.mark.parametrize("name", ["cologne3", "cologne8", "arterial4x4"])
def test_env__passes_pettingzoos_test(name: str) -> None:
    scenario, end, _ = NETS[name]
    env = traffic_light_v0.env(scenario=scenario, end=end)
    api_test(env, num_cycles=60)
    env.close()


@pytest.mark.parametrize(
    "choice",
    [
        {"action": "keep_or_switch"},
        {"action": "keep_or_switch_when_legal"},
        {"action": "phase_when_legal"},
        {"action": "green_duration"},
        {"action": "green_duration_continuous"},
        {"action": "cycle_splits"},
        {"action": "plan"},
        {"pad": True},
        {"masked": True},
        {"pad": True, "masked": True},
    ],
    ids=str,
)
def test_parallel_env__passes_pettingzoos_test_with(choice: dict[str, Any]) -> None:
    env = traffic_light_v0.parallel_env(scenario="resco-cologne3", end=25500, **choice)
    parallel_api_test(env, num_cycles=40)
    env.close()


def test_seeds__pass_pettingzoos_tests() -> None:
    arguments = {"scenario": "resco-cologne3", "end": 25260}
    parallel_seed_test(lambda: traffic_light_v0.parallel_env(**arguments))
    seed_test(lambda: traffic_light_v0.env(**arguments), num_cycles=10)


def parallel(**settings: Any) -> ParallelAgentsEnv:
    env = traffic_light_v0.parallel_env(**{"scenario": "resco-cologne3", "end": 25500, **settings})
    assert isinstance(env.unwrapped, ParallelAgentsEnv)
    return env.unwrapped


def test_agents__are_sumos_ids_and_leave_at_the_end() -> None:
    env = parallel(end=25210)
    assert tuple(env.possible_agents) == THREE
    env.reset(seed=1)
    assert env.agents == env.possible_agents
    env.step(dict.fromkeys(THREE, 0))
    _, _, terminations, truncations, infos = env.step(dict.fromkeys(THREE, 0))
    assert (set(terminations.values()), set(truncations.values()), env.agents) == ({False}, {True}, [])
    assert {info["kpis"]["end"] for info in infos.values()} == {25210}
    assert env.last_episode is not None
    env.close()


def test_signals__that_are_not_named_keep_their_programs() -> None:
    env = parallel(signals=THREE[1:2])
    assert env.possible_agents == [THREE[1]]
    env.reset(seed=1)
    for _ in range(20):
        env.step({THREE[1]: 0})
    programs = env.query(lambda kernel: [kernel.traffic_light._trafficlight.getProgram(signal) for signal in THREE])
    assert [program == "online" for program in programs] == [False, True, False]
    env.close()


@pytest.mark.parametrize(
    ("signals", "error", "match"),
    [
        (["nowhere"], ScenarioError, "no signal 'nowhere'"),
        ("360082", TypeError, "expected a sequence of ids"),
        ([], ValueError, "one id or more"),
        ([THREE[0], THREE[0]], ValueError, "each once"),
    ],
)
def test_signals__that_cannot_be_are_refused(signals: Any, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        parallel(signals=signals)


def test_step__refuses_agents_and_actions_that_there_are_not() -> None:
    env = parallel()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="no agent 'nowhere'"):
        env.step({"nowhere": 0})
    with pytest.raises(ValueError, match="not in Discrete"):
        env.step({THREE[0]: 99})
    env.close()


@pytest.mark.parametrize("host", ["inline", "worker"])
def test_decisions__come_when_each_signal_has_shown_its_min_green(host: str) -> None:
    greens = dict(zip(THREE, (5.0, 7.0, 13.0), strict=True))
    env = parallel(
        action="phase_when_legal",
        reward=Weighted({"queue_length": -1.0}),
        min_green=5,
        signal_timing={signal: {"min_green": green} for signal, green in greens.items()},
        host=host,
    )
    _, infos = env.reset(seed=1)
    assert all(info["due"] and info["elapsed"] == 0 for info in infos.values())
    elapsed: dict[str, list[float]] = {signal: [] for signal in THREE}
    times = []
    while env.agents:
        due = [agent for agent in env.agents if infos[agent]["due"]]
        assert due
        actions = {}
        for agent in env.agents:
            mask, phase = infos[agent]["action_mask"], infos[agent]["phase"]
            if agent in due:
                actions[agent] = (phase + 1) % len(mask)
                assert mask[actions[agent]] or not times, "asked only when a switch is legal"
            else:
                assert mask.sum() == 1
                actions[agent] = int(mask.argmax())
        _, rewards, _, truncations, infos = env.step(actions)
        for agent, info in infos.items():
            if not info["due"]:
                assert rewards[agent] == 0.0
            elif not truncations[agent]:
                elapsed[agent].append(info["elapsed"])
                assert rewards[agent] == -info["metrics"]["queue_length"]
        times.append(next(iter(infos.values()))["time"])
    for signal, green in greens.items():
        assert set(elapsed[signal][1:]) == {green + 3.0}, signal
        assert len(elapsed[signal]) >= 10
    assert times == sorted(set(times))
    env.close()


def test_actions__of_agents_that_are_not_due_do_not_count() -> None:
    seen = []
    for wrong in (False, True):
        env = parallel(action=GreenDuration(step=4.0), signal_timing={THREE[0]: {"min_green": 9}})
        random = np.random.default_rng(3)
        _, infos = env.reset(seed=1)
        said = []
        while env.agents:
            chosen = {agent: int(random.integers(5)) for agent in THREE}
            if wrong:
                chosen = {agent: a if infos[agent]["due"] else (a + 1) % 5 for agent, a in chosen.items()}
            observations, _, _, _, infos = env.step(chosen)
            said.append([observations[agent].tolist() for agent in THREE])
        seen.append(said)
        env.close()
    assert seen[0] == seen[1]
    assert len(seen[0]) > 30


def test_copies__are_new_envs() -> None:
    env = parallel(pad=False)
    env.reset(seed=1)
    copy = pickle.loads(pickle.dumps(env))
    assert copy.possible_agents == env.possible_agents
    copy.reset(seed=1)
    copy.close()
    env.close()


def test_padded__agents_share_spaces_and_what_they_lack_is_masked() -> None:
    env = traffic_light_v0.parallel_env(scenario="resco-cologne3", end=25500, pad=True)
    own = parallel()
    widths = [own.observation_space(agent).shape[0] for agent in THREE]
    counts = [own.action_space(agent).n for agent in THREE]
    assert len(set(widths)) > 1 or len(set(counts)) > 1
    observations, infos = env.reset(seed=1)
    for agent, width, count in zip(THREE, widths, counts, strict=True):
        assert env.action_space(agent) == spaces.Discrete(max(counts))
        assert env.observation_space(agent).shape == (max(widths),)
        assert env.observation_space(agent).contains(observations[agent])
        assert not observations[agent][width:].any()
        assert len(infos[agent]["action_mask"]) == max(counts)
        assert not infos[agent]["action_mask"][count:].any()
    env.step(dict.fromkeys(THREE, max(counts) - 1))
    env.close()
    own.close()


def test_masked__observations_hold_the_mask() -> None:
    env = traffic_light_v0.parallel_env(scenario="resco-cologne3", end=25500, masked=True)
    observations, infos = env.reset(seed=1)
    for agent in THREE:
        assert env.observation_space(agent).contains(observations[agent])
        assert (observations[agent]["action_mask"] == infos[agent]["action_mask"]).all()
    env.close()


def test_masked__needs_discrete_actions() -> None:
    with pytest.raises(ValueError, match="expected Discrete from 0"):
        traffic_light_v0.parallel_env(scenario="resco-cologne3", masked=True, action="cycle_splits")


@dataclasses.dataclass
class Own:
    """A user's action: not frozen, numbered from 1, and with decisions that hold 7 s at one signal."""

    masked: bool = True

    def space(self, kernel: Any, signal: str) -> spaces.Space[Any]:
        return spaces.Discrete(2, start=1)

    def apply(self, kernel: Any, signal: str, action: Any) -> None:
        assert action in (1, 2)

    def duration(self, kernel: Any, signal: str, action: Any) -> float:
        return 7 if signal == THREE[0] else 5

    def info(self, kernel: Any, signal: str) -> dict[str, Any]:
        return {"action_mask": np.ones(2, dtype=np.int8)} if self.masked else {}


def test_action__of_a_users_may_be_numbered_from_one() -> None:
    env = parallel(action=Own())
    env.reset(seed=1)
    for _ in range(10):
        *_, infos = env.step(dict.fromkeys(THREE, 2))
        for info in infos.values():
            assert info["due"] or info["action_mask"].tolist() == [0, 1]
    assert not all(info["due"] for info in infos.values())
    env.close()
    central = gymnasium.make("SumoTrafficLightCentral-v0", scenario="resco-cologne3", end=25260, action=Own())
    assert central.action_space == spaces.MultiDiscrete([2, 2, 2], start=[1, 1, 1])
    central.reset(seed=1)
    central.step(np.array([1, 2, 1]))
    central.close()


@pytest.mark.parametrize("option", ["pad", "masked"])
def test_wrappers__need_discrete_actions_from_zero(option: str) -> None:
    with pytest.raises(ValueError, match="expected Discrete from 0"):
        traffic_light_v0.parallel_env(scenario="resco-cologne3", action=Own(), **{option: True})


@pytest.mark.parametrize(("agent", "action"), [("nowhere", 0), (THREE[0], 9), (THREE[0], None), (THREE[0], "1")])
def test_padded__refuses_agents_and_actions_that_there_are_not(agent: str, action: Any) -> None:
    env = traffic_light_v0.parallel_env(scenario="resco-cologne3", end=25260, pad=True)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"no agent|is not in Discrete"):
        env.step({agent: action})
    env.close()


@pytest.mark.parametrize(("argument", "match"), [("signal", "signals="), ("nope", "no argument 'nope'.*signals.*pad")])
def test_arguments__that_there_are_not_are_answered_with_those_that_there_are(argument: str, match: str) -> None:
    with pytest.raises(TypeError, match=match):
        traffic_light_v0.parallel_env(scenario="resco-cologne3", **{argument: THREE[0]})


def test_act__refuses_phases_where_an_action_is_something_else() -> None:
    env = parallel(action="green_duration")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="action='phase' or action='phase_when_legal'"):
        env.act(CONTROLLERS["max_pressure"])
    env.close()
