from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from sumo_gymnasium.evaluation.policies import name_of, player_of, policy_of, portable
from sumo_gymnasium.kernels.kernel import Kernel

SEEN = {"A": 1, "B": 2}
INFOS = {"A": {"due": True, "action_mask": "a"}, "B": {"due": False, "action_mask": "b"}}


class Stage:
    """Answers `act` with the controller itself."""

    env = None

    def act(self, controller: Any) -> Mapping[str, Any]:
        return {"A": controller}


def controller(kernel: Kernel, agent: str) -> int:
    return 0


class Recurrent:
    """Counts in its state how often it was asked."""

    def predict(self, observation: Any, state: Any = None, deterministic: bool = False) -> tuple[Any, Any]:
        assert deterministic
        return observation, (state or 0) + 1


class Masked:
    def predict(self, observation: Any, deterministic: bool = False, action_masks: Any = None) -> tuple[Any, None]:
        return action_masks, None


def play(policy: Any, infos: Any = INFOS) -> dict[str, Any]:
    return dict(player_of(policy)(Stage(), SEEN, infos))  # type: ignore[arg-type]


def test_controller__is_asked_by_the_env() -> None:
    assert play(controller) == {"A": controller}


def test_function__is_asked_for_the_agents_that_are_due() -> None:
    assert play(lambda observation: 10 * observation) == {"A": 10}
    assert play(lambda observation: 10 * observation, {"A": {}, "B": {}}) == {"A": 10, "B": 20}


def test_model__is_given_the_mask_if_it_takes_one() -> None:
    assert play(Masked()) == {"A": "a"}


def test_model__keeps_a_state_of_its_own_for_each_agent() -> None:
    player = player_of(Recurrent())
    for _ in range(3):
        player(Stage(), SEEN, {"A": {}, "B": {"due": False}})  # type: ignore[arg-type]
    player(Stage(), SEEN, {"A": {"due": False}, "B": {}})  # type: ignore[arg-type]
    assert player._states == {"A": 3, "B": 1}  # type: ignore[attr-defined]


def test_player__of_the_next_episode_knows_nothing() -> None:
    model = Recurrent()
    player_of(model)(Stage(), SEEN, INFOS)  # type: ignore[arg-type]
    assert player_of(model)._states == {}  # type: ignore[attr-defined]


def test_name__of_a_controller() -> None:
    assert name_of("greedy") == "greedy"
    assert name_of(controller) == "controller"
    assert name_of(Recurrent()) == "Recurrent"
    with pytest.raises(ValueError, match="no controller 'gredy'; did you mean 'greedy'"):
        policy_of("gredy")


@pytest.mark.parametrize("wrong", [3, None, [], lambda: 0, lambda a, b, c: 0, dict])
def test_policy__that_cannot_act_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="expected the name of a controller"):
        policy_of(wrong)


def test_portable__leaves_the_training_envs_behind() -> None:
    inner = Masked()
    assert portable(SimpleNamespace(predict=print, policy=inner, env="many processes")) is inner
    assert portable(controller) is controller
    assert portable(inner) is inner
