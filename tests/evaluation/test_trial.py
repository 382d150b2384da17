import hashlib
import os
import signal
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from gymnasium.wrappers import TimeLimit

from sumo_gymnasium import traffic_light_v0
from sumo_gymnasium.actions.signal import ChoosePhase
from sumo_gymnasium.evaluation import Result, compare, evaluate
from sumo_gymnasium.evaluation.trial import plain, seeds_of
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.intersection import intersection
from tests.conftest import SMALL, Make
from tests.envs.test_single import finish

SHORT = {"end": 120}
UNIFORM = "intersection-uniform"


def first(kernel: Kernel, agent: str) -> int:
    return 0


def test_result__has_the_kpis_of_the_env_itself(make: Make) -> None:
    env = make(UNIFORM, end=120)
    env.reset(seed=5)
    info = finish(env)
    result = evaluate(first, UNIFORM, [4, 5], **SHORT)
    assert result.episodes[1].kpis == info["kpis"]
    assert result.episodes[1].sumo_seed == env.unwrapped.last_episode.seed
    assert result.episodes[1].decisions == 24
    assert result.seeds == (4, 5)
    assert result.episodes[0].kpis != info["kpis"]


def test_result__is_the_same_whoever_acts_the_same(make: Make) -> None:
    class Model:
        def predict(self, observation: Any, deterministic: bool = False) -> tuple[int, None]:
            assert observation.shape == (21,)
            assert deterministic
            return 0, None

    ways: list[tuple[Any, Any, dict[str, Any]]] = [
        (first, UNIFORM, SHORT),
        (lambda observation: 0, UNIFORM, SHORT),
        (Model(), UNIFORM, SHORT),
        (first, "SumoTrafficLight-v0", SHORT),
        (first, intersection("uniform"), {**SHORT, "signal": "center"}),
        (first, make(UNIFORM, end=120), {}),
        (first, lambda: traffic_light_v0.parallel_env(scenario=UNIFORM, end=120), {}),
    ]
    results = [evaluate(policy, given, [1], **settings) for policy, given, settings in ways]
    assert all(result.episodes == results[0].episodes for result in results)


def test_reward_and_metrics__are_sum_and_mean_over_the_decisions(make: Make) -> None:
    env = make(SMALL, end=60, reward="queue_length")
    env.reset(seed=1)
    steps = [env.step(0) for _ in range(12)]
    queues = [info["metrics"]["queue_length"] for *_, info in steps]
    (episode,) = evaluate(first, SMALL, [1], end=60, reward="queue_length").episodes
    assert episode.reward == pytest.approx(sum(reward for _, reward, *_ in steps))
    assert episode.metrics == {"queue_length": pytest.approx(sum(queues) / 12)}


def test_all_signals__act(tmp_path: Path) -> None:
    def note(kernel: Kernel, agent: str) -> int:
        with (tmp_path / "agents").open("a") as file:
            file.write(f"{agent}\n")
        return 0

    result = evaluate(note, "resco-cologne3", [1], end=25260, decision_interval=20)
    assert len(set((tmp_path / "agents").read_text().split())) == 3
    assert result.episodes[0].decisions == 3


def test_central_env__is_played_too() -> None:
    central = evaluate(first, "SumoTrafficLightCentral-v0", [1], scenario="resco-cologne3", end=25260)
    each = evaluate(first, "resco-cologne3", [1], end=25260)
    assert central.episodes[0].kpis == each.episodes[0].kpis
    assert central.episodes[0].reward == pytest.approx(each.episodes[0].reward)
    assert central.episodes[0].metrics == each.episodes[0].metrics


def test_provenance__files_versions_and_settings() -> None:
    scenario = intersection("uniform")
    result = evaluate("actuated", scenario, [1], end=60, decision_interval=10)
    hashes = {given.kind: given.sha256 for given in result.inputs}
    assert hashes["net"] == hashlib.sha256(Path(scenario.net_file).read_bytes()).hexdigest()
    assert set(hashes) == {"net", "route", "additional"}
    assert result.sumo_version.startswith("1.28")
    assert result.settings["decision_interval"] == 10
    assert (result.settings["begin"], result.settings["end"]) == (0, 60)
    assert "actuated" in result.settings["action"]
    assert result.settings["reward"] == "waiting_time_decrease"
    assert (result.policy, result.scenario) == ("actuated", UNIFORM)
    assert Result.from_json(result.to_json()) == result


def test_settings__of_a_made_env_are_those_it_was_made_with(make: Make) -> None:
    result = evaluate(first, make(SMALL, end=20, yellow=2, reward="pressure"), [1])
    assert (result.settings["yellow"], result.settings["reward"], result.settings["end"]) == (2, "pressure", 20)


def test_controller__brings_its_action() -> None:
    assert evaluate("actuated", UNIFORM, [1], **SHORT).episodes != evaluate(first, UNIFORM, [1], **SHORT).episodes


class PhaseOnly:
    """A controller that tells in which envs it can act."""

    acts = ("phase", "phase_when_legal")

    def __call__(self, kernel: Kernel, agent: str) -> int:
        return 0


@pytest.mark.parametrize("player", [evaluate, compare])
@pytest.mark.parametrize("given", [SMALL, "SumoTrafficLight-v0"])
def test_controller__is_refused_where_it_cannot_act(player: Any, given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sumo_gymnasium.evaluation.trial.stage_of", None)  # no env is made
    policies = PhaseOnly() if player is evaluate else {"PhaseOnly": PhaseOnly()}
    message = "'PhaseOnly' cannot act in an env with action='keep_or_switch'; expected 'phase' or 'phase_when_legal'"
    with pytest.raises(ValueError, match=message):
        player(policies, given, [1], action="keep_or_switch")


@pytest.mark.parametrize("settings", [{}, {"action": "phase_when_legal"}, {"action": ChoosePhase()}])
def test_controller__acts_where_it_can(settings: dict[str, Any]) -> None:
    (episode,) = evaluate(PhaseOnly(), SMALL, [1], end=20, **settings).episodes
    assert episode.error is None


def test_controller__with_an_action_of_its_own_is_never_refused() -> None:
    class Own(PhaseOnly):
        action = "phase"

    (episode,) = evaluate(Own(), SMALL, [1], end=20, action="keep_or_switch").episodes
    assert episode.error is None


def test_time_limit__still_gives_kpis(make: Make) -> None:
    env = TimeLimit(make(UNIFORM, end=600), 24)
    result = evaluate(first, env, [1, 2])
    assert result.episodes[0].kpis == evaluate(first, UNIFORM, [1], **SHORT).episodes[0].kpis
    assert [episode.kpis["end"] for episode in result.episodes] == [120, 120]


def test_crash__is_kept_as_an_episode_and_the_others_go_on() -> None:
    (doomed,) = evaluate(first, SMALL, [2], end=60).episodes

    def deadly(kernel: Kernel, agent: str) -> int:
        if kernel._seed == doomed.sumo_seed and kernel.simulation.time >= 30:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    result = evaluate(deadly, SMALL, [1, 2, 3], end=60, host="worker")
    assert [episode.error is None for episode in result.episodes] == [True, False, True]
    assert "SimulationCrashed: " in str(result.episodes[1].error)
    assert "simulated time 30 s" in str(result.episodes[1].error)


def test_policy_that_raises__comes_through_and_leaves_nothing_running(make: Make) -> None:
    def wrong(observation: Any) -> int:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        evaluate(wrong, SMALL, [1], end=60)


def test_env_of_the_user__stays_usable(make: Make) -> None:
    env = make(SMALL, end=60)
    evaluate(first, env, [1])
    env.reset(seed=1)
    assert env.step(0)[-1]["time"] == 5


@pytest.mark.parametrize("seeds", [[], [1, 1], [-1]])
def test_seeds__are_different_and_some(seeds: list[int]) -> None:
    with pytest.raises(ValueError, match="expected at least one seed"):
        seeds_of(seeds)


@pytest.mark.parametrize("seeds", [3, ["a"], [1.5]])
def test_seeds__are_whole_numbers(seeds: Any) -> None:
    with pytest.raises(TypeError, match="expected whole numbers"):
        seeds_of(seeds)


def test_plain__says_objects_in_words() -> None:
    assert plain({"a": (1, None), "b": first, "c": Path("x")}) == {"a": [1, None], "b": f"{__name__}:first", "c": "x"}


def test_sb3_model__plays(make: Make) -> None:
    stable_baselines3 = pytest.importorskip("stable_baselines3")
    env = make(SMALL, end=60)
    model = stable_baselines3.PPO("MlpPolicy", env, n_steps=4, batch_size=4, device="cpu")
    result = evaluate(model, SMALL, [1], end=60)
    assert result.policy == "PPO"
    assert result.episodes[0].kpis["end"] == 60
    assert isinstance(env, gymnasium.Env)
