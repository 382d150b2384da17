"""Our envs under RLlib: names, agents that come and go or decide at different times, policies, KPIs."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

pytest.importorskip("ray")

from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.tune import RunConfig, Tuner

from sumo_gymnasium.adapters import rllib
from sumo_gymnasium.evaluation import evaluate
from tests.adapters.cluster import one_ray  # noqa: F401 - a fixture
from tests.adapters.rllib_runs import COLOGNE, PADDED, SINGLE, Build, small_runs  # noqa: F401 - a fixture
from tests.conftest import children

MERGE = {"env": "vehicle_v0", "scenario": "merge", "types": None, "most": 200, "end": 60}


class Shifts:
    """One agent at a time: each stays for two steps, and the next joins in the step in which it ends."""

    metadata: dict[str, Any] = {}  # noqa: RUF012
    render_mode = None

    def __init__(self, last: int = 4) -> None:
        self.possible_agents = [f"agent{place}" for place in range(last)]
        self.agents: list[str] = []
        self.now = 0

    def observation_space(self, agent: str) -> Any:
        return spaces.Box(0, 100, (1,), np.float32)

    def action_space(self, agent: str) -> Any:
        return spaces.Discrete(2)

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.now, self.agents = 0, ["agent0"]
        return {"agent0": np.zeros(1, np.float32)}, {"agent0": {"due": True}}

    def step(self, actions: Any) -> Any:
        assert set(actions) == set(self.agents), "everyone who is there is due, and nobody else"
        self.now += 1
        (working,) = self.agents
        ends, place = self.now % 2 == 0, self.now // 2
        comes = [f"agent{place}"] if ends and place < len(self.possible_agents) else []
        told = [working, *comes]
        self.agents = comes if ends else [working]
        seen = {agent: np.full(1, self.now, np.float32) for agent in told}
        rewards = {agent: 1.0 if agent == working else 0.0 for agent in told}
        ended = {agent: ends and agent == working for agent in told}
        return seen, rewards, ended, dict.fromkeys(told, False), {agent: {"due": True} for agent in told}

    def render(self) -> None:
        return None

    def close(self) -> None:
        self.agents = []


def shifts() -> Shifts:
    return Shifts()


def spaces_of(env: Any) -> dict[str, Any]:
    return {"observation_space": env.observation_spaces, "action_space": env.action_spaces}


def played(env: Any, choose: Callable[[str, Any], Any]) -> Any:
    """An episode of RLlib's, as its env runner records it, and what was done in each step."""
    episode = MultiAgentEpisode(**spaces_of(env))
    observations, infos = env.reset(seed=1)
    episode.add_env_reset(observations=observations, infos=infos)
    done: list[dict[str, Any]] = []
    while not episode.is_done:
        done.append({agent: choose(agent, infos[agent]) for agent in sorted(episode.get_agents_to_act())})
        observations, rewards, terminated, truncated, infos = env.step(done[-1])
        episode.add_env_step(observations, done[-1], rewards, infos, terminateds=terminated, truncateds=truncated)
    return episode, done


@pytest.mark.usefixtures("cluster")
def test_tuner__trains_by_the_lines_of_the_readme(tmp_path: Path) -> None:
    settings = {"train_batch_size_per_learner": 24, "minibatch_size": 12, "num_epochs": 1, "num_env_runners": 0}
    space = {"env": "sumo_gymnasium:SumoTrafficLight-v0", "env_config": SINGLE, **settings}
    run = RunConfig(stop={"training_iteration": 1}, storage_path=str(tmp_path), verbose=0)
    (result,) = Tuner("PPO", param_space=space, run_config=run).fit()
    assert result.error is None
    assert result.metrics["env_runners"]["num_env_steps_sampled"] == 24


def test_registered_id__trains_in_another_process_and_logs_kpis(build: Build) -> None:
    rllib.register()
    found = build("SumoTrafficLight-v0", SINGLE, runners=1).train()["env_runners"]
    env = gymnasium.make("SumoTrafficLight-v0", **SINGLE)
    result = evaluate("random", env, [1])
    env.close()
    assert found["num_episodes"] >= 2
    assert found["kpis"]["end"] == 60
    assert set(found["kpis"]) <= set(result.rows()[0])
    assert found["kpis"]["due_vehicles"] > 0


def test_shared_policy__learns_from_all_signals(build: Build) -> None:
    found = build(rllib.AgentsEnv, PADDED, **rllib.shared(PADDED)).train()["env_runners"]
    assert found["num_module_steps_sampled"] == {"shared": 3 * 24}
    assert found["episode_len_mean"] == 12
    assert found["kpis"]["end"] == 25260


def test_policy_per_agent__has_the_spaces_of_the_agent(build: Build) -> None:
    algorithm = build(rllib.AgentsEnv, COLOGNE, **rllib.one_per_agent(COLOGNE))
    steps = algorithm.train()["env_runners"]["num_module_steps_sampled"]
    env = rllib.parallel_env(COLOGNE)
    assert steps == dict.fromkeys(env.possible_agents, 24)
    for agent in env.possible_agents:
        assert algorithm.get_module(agent).observation_space == env.observation_space(agent)
    env.close()


def test_groups__share_a_policy_each() -> None:
    one, two, three = rllib.parallel_env(PADDED).possible_agents
    found = rllib.grouped(PADDED, {"corridor": [one, three], "side": [two]})
    assert [found["policy_mapping_fn"](agent, episode=None) for agent in (one, two, three)] == [
        "corridor",
        "side",
        "corridor",
    ]
    assert set(found["policies"]) == {"corridor", "side"}


def test_groups__need_each_agent_once() -> None:
    one, two, three = rllib.parallel_env(PADDED).possible_agents
    for groups in ({"a": [one, two]}, {"a": [one, two], "b": [two, three]}, {"a": [one, two, three, "x"]}):
        with pytest.raises(ValueError, match="each agent once"):
            rllib.grouped(PADDED, groups)


def test_shared_policy__needs_spaces_that_are_alike() -> None:
    with pytest.raises(ValueError, match="pad=True"):
        rllib.shared(COLOGNE)


@pytest.mark.parametrize(("config", "said"), [({}, "names no env"), ({"env": "trafic_light_v0"}, "did you mean")])
def test_env__is_named(config: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        rllib.AgentsEnv(config)


def test_episode__stays_whole_when_agents_relieve_each_other() -> None:
    env = rllib.AgentsEnv({"env": f"{__name__}:shifts"})
    episode, done = played(env, lambda agent, info: 0)
    assert set(episode.agent_ids) == set(env.possible_agents)
    assert len(done) == 8
    for one in episode.agent_episodes.values():
        assert (len(one), one.get_return(), one.is_terminated) == (2, 2.0, True)


def test_vehicles__come_and_go_within_one_episode(build: Build) -> None:
    algorithm = build(rllib.AgentsEnv, MERGE, **rllib.shared(MERGE))
    (episode,) = algorithm.env_runner.sample(num_episodes=1, random_actions=False, explore=True)
    ends = [one.get_infos(-1) for one in episode.agent_episodes.values()]
    gone = [info["status"] for info in ends if "status" in info]
    assert len(gone) >= 3
    assert len(ends) > len(gone) > 0
    assert any("kpis" in info for info in ends)
    for one in episode.agent_episodes.values():
        left = "status" in one.get_infos(-1)
        assert one.is_done
        assert one.is_terminated == left
    assert algorithm.train()["env_runners"]["num_env_steps_sampled"] >= 24


def test_end_of_the_scenario__truncates_and_does_not_terminate() -> None:
    env = rllib.AgentsEnv(COLOGNE)
    episode, _ = played(env, lambda agent, info: 0)
    env.close()
    for one in episode.agent_episodes.values():
        assert (one.is_terminated, one.is_truncated) == (False, True)


def test_decisions_at_different_times__are_asked_when_due_and_paid_in_full() -> None:
    settings = {**COLOGNE, "action": "green_duration", "end": 25500}
    random = np.random.default_rng(1)
    env = rllib.AgentsEnv(settings)
    episode, done = played(env, lambda agent, info: random.integers(len(info["action_mask"])))
    env.close()
    plain = rllib.parallel_env(settings)
    plain.reset(seed=1)
    total = dict.fromkeys(plain.possible_agents, 0.0)
    for actions in done:
        for agent, reward in plain.step(actions)[1].items():
            total[agent] += reward
    assert not plain.agents
    assert min(map(len, done)) < len(plain.possible_agents)
    asked = {agent: sum(agent in actions for actions in done) for agent in plain.possible_agents}
    for agent, one in episode.agent_episodes.items():
        assert one.get_return() == pytest.approx(total[agent])
        assert len(one) == asked[agent]


def test_training__goes_on_after_the_simulation_was_killed(build: Build) -> None:
    algorithm = build(rllib.AgentsEnv, {**PADDED, "host": "worker"}, restart=True, **rllib.shared(PADDED))
    algorithm.train()
    workers = [pid for pid in children() if b"envs.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert len(workers) == 1
    os.kill(workers[0], signal.SIGKILL)
    found = algorithm.train()["env_runners"]
    assert found["num_env_steps_sampled"] >= 24
    assert found["kpis"]["end"] == 25260
    assert workers[0] not in children()
