"""What acts: a controller, a trained model, or a function of the observation."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from sumo_gymnasium.controllers import CONTROLLERS
from sumo_gymnasium.evaluation.stages import Stage
from sumo_gymnasium.names import resolve

Policy = Any  # a name, a controller, a model or a function: see `player_of`
ByAgent = Mapping[str, Any]
EXPECTED = (
    "expected the name of a controller, a controller (kernel, agent) -> action, a function (observation) -> action, "
    "or a model with predict(observation, deterministic=True)"
)


class Player(Protocol):
    """Plays an episode on a stage."""

    def __call__(self, stage: Stage, observations: ByAgent, infos: ByAgent, /) -> dict[str, Any]:
        """The actions of the agents that are due."""


def policy_of(given: Policy) -> Any:
    """What a name stands for; anything else is itself, if it can act.

    Raises:
        ValueError: no such controller.
        TypeError: it cannot act.
    """
    found: Any = resolve("controller", CONTROLLERS, given, needs=("__call__",)) if isinstance(given, str) else given
    if not hasattr(found, "predict") and _asked_for(found) not in (1, 2):
        raise TypeError(f"policy {given!r}: {EXPECTED}")
    return found


def name_of(given: Policy) -> str:
    """What a policy is called in results, if nobody says otherwise."""
    return given if isinstance(given, str) else getattr(given, "__name__", type(given).__name__)


def player_of(policy: Any) -> Player:
    """A new player for one episode."""
    if hasattr(policy, "predict"):
        return _Model(policy)
    return _controller(policy) if _asked_for(policy) == 2 else _function(policy)


def portable(policy: Any) -> Any:
    """What of a model another process needs: an SB3 model holds its training envs, which cannot all be sent."""
    inner = getattr(policy, "policy", None)
    return inner if hasattr(policy, "predict") and hasattr(inner, "predict") else policy


def _asked_for(policy: object) -> int | None:
    """How many arguments a call must give by position; None if that is not known."""
    try:
        parameters = inspect.signature(policy).parameters.values()  # type: ignore[arg-type]  # raises TypeError
    except (TypeError, ValueError):
        return None
    return sum(given.kind <= given.POSITIONAL_OR_KEYWORD and given.default is given.empty for given in parameters)


def _controller(controller: Callable[..., Any]) -> Player:
    return lambda stage, observations, infos: stage.act(controller)


def _function(function: Callable[[Any], Any]) -> Player:
    return lambda stage, observations, infos: {agent: function(observations[agent]) for agent in due(infos)}


def due(infos: ByAgent) -> list[str]:
    """The agents whose next action counts."""
    return [agent for agent, info in infos.items() if info.get("due", True)]


class _Model:
    """Asks a model for each agent's action; it keeps a recurrent model's state and gives masks to whom takes them."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._masked = "action_masks" in inspect.signature(model.predict).parameters
        self._states: dict[str, Any] = {}

    def __call__(self, stage: Stage, observations: ByAgent, infos: ByAgent) -> dict[str, Any]:
        return {agent: self._action(agent, observations[agent], infos[agent]) for agent in due(infos)}

    def _action(self, agent: str, observation: Any, info: Mapping[str, Any]) -> Any:
        further: dict[str, Any] = {"action_masks": info["action_mask"]} if self._masked else {}
        if self._states.get(agent) is not None:
            further["state"] = self._states[agent]
        answer = self._model.predict(observation, deterministic=True, **further)
        action, self._states[agent] = answer if isinstance(answer, tuple) else (answer, None)
        return action
