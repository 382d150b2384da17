from typing import Any

import gymnasium
import pytest
from gymnasium.vector import SyncVectorEnv

from sumo_gymnasium import traffic_light_v0
from sumo_gymnasium.evaluation.stages import ManyAgents, OneAgent, stage_of
from tests.conftest import SMALL, Make

ID = "SumoTrafficLight-v0"


def closed(stage: Any) -> Any:
    stage.env.close()
    return stage


@pytest.mark.parametrize("name", [ID, f"sumo_gymnasium:{ID}"])
def test_id__is_made_with_the_settings(name: str) -> None:
    stage = closed(stage_of(name, {"scenario": SMALL, "decision_interval": 7}))
    assert isinstance(stage, OneAgent)
    assert stage.env.unwrapped.config.decision_interval == 7


def test_scenario__lets_all_signals_act_or_those_that_are_named() -> None:
    everyone = closed(stage_of("resco-cologne3", {}))
    assert isinstance(everyone, ManyAgents)
    assert len(everyone.env.possible_agents) == 3
    some = everyone.env.possible_agents[:2]
    assert closed(stage_of("resco-cologne3", {"signals": some})).env.possible_agents == some
    assert closed(stage_of("resco-cologne3", {"signal": some[1]})).env.unwrapped.agent == some[1]


def test_env__is_taken_as_it_is(make: Make) -> None:
    env = make()
    assert stage_of(env, {}).env is env
    parallel = traffic_light_v0.parallel_env(scenario=SMALL)
    assert stage_of(parallel, {}).env is parallel
    assert isinstance(stage_of(lambda: env, {}), OneAgent)


def test_env__that_is_made_takes_no_settings(make: Make) -> None:
    with pytest.raises(ValueError, match=r"end: .* is made without them; give them where it is made"):
        stage_of(make(), {"end": 3})


def test_vector_env__is_refused(make: Make) -> None:
    with pytest.raises(TypeError, match="is a vector env"):
        stage_of(SyncVectorEnv([lambda: make()]), {})


@pytest.mark.parametrize("given", [lambda: 3, lambda: gymnasium.make("CartPole-v1"), "CartPole-v1"])
def test_other_env__is_refused(given: Any) -> None:
    with pytest.raises(TypeError, match="is no env of this package; expected an env or its id"):
        stage_of(given, {})


def test_turn_based_env__is_refused() -> None:
    env = traffic_light_v0.env(scenario=SMALL)
    with pytest.raises(TypeError, match=r"is neither a gymnasium.Env nor a pettingzoo.ParallelEnv"):
        stage_of(env, {})


def test_unknown_scenario__is_a_suggestion() -> None:
    with pytest.raises(ValueError, match="no scenario 'intersection-unifrom'; did you mean 'intersection-uniform'"):
        stage_of("intersection-unifrom", {})
