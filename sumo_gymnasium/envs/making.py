"""From what users of an env say to what it is made of."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sumo_gymnasium.actions.signal import ACTIONS
from sumo_gymnasium.actions.vehicle import VEHICLE_ACTIONS
from sumo_gymnasium.agents import Agents, Role
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.envs.hosted import Setup
from sumo_gymnasium.envs.loop import Hook
from sumo_gymnasium.names import resolve
from sumo_gymnasium.observations.signal import OBSERVATIONS
from sumo_gymnasium.observations.vehicle import VEHICLE_OBSERVATIONS
from sumo_gymnasium.renderers.drawing import Drawing
from sumo_gymnasium.rewards import REWARDS, VEHICLE_REWARDS
from sumo_gymnasium.scenarios.registry import ScenarioLike, scenario_of
from sumo_gymnasium.terminations import TERMINATIONS


class Kind(NamedTuple):
    """What the strategies of one kind of agent are called."""

    observations: Mapping[str, Any]
    actions: Mapping[str, Any]
    rewards: Mapping[str, Any]


SIGNAL = Kind(OBSERVATIONS, ACTIONS, REWARDS)
VEHICLE = Kind(VEHICLE_OBSERVATIONS, VEHICLE_ACTIONS, VEHICLE_REWARDS)


def role(
    kind: Kind, agents: Agents, observation: object, action: object, reward: object, terminations: object = ()
) -> Role:
    """Agents of one kind, with their strategies by name or as they are.

    Raises:
        TypeError: something that cannot be such a strategy.
        ValueError: a name that there is not.
    """
    if isinstance(terminations, str) or not isinstance(terminations, Iterable):
        raise TypeError(f"terminations={terminations!r}: expected a sequence, e.g. ('stuck',)")
    return Role(
        agents=agents,
        action=resolve("action", kind.actions, action, needs=("space", "apply", "info")),
        observation=resolve("observation", kind.observations, observation, needs=("space", "__call__")),
        reward=resolve("reward", kind.rewards, reward, needs=("metrics", "__call__")),
        terminations=tuple(resolve("termination", TERMINATIONS, each) for each in terminations),
    )


def setup(
    roles: Sequence[Role],
    scenario: ScenarioLike,
    arguments: Iterable[str],
    begin: float | None = None,
    end: float | None = None,
    hooks: Sequence[Hook] = (),
    render_mode: str | None = None,
    drawing: Drawing | None = None,
    **settings: Any,
) -> Setup:
    """An env's parts.

    Args:
        roles: who acts.
        scenario: see `scenario_of`.
        arguments: what the env's users may say besides `settings`; for messages.
        begin: s, in place of the scenario's.
        end: s, in place of the scenario's.
        hooks: called after every simulation step.
        render_mode: see `Setup`.
        drawing: see `Setup`.
        settings: the fields of `SumoConfig`.

    Raises:
        ScenarioError: nothing that can be simulated.
        TypeError: an argument that there is not.
        ValueError: a value that cannot be.
    """
    config = SumoConfig.of(settings, others=arguments)
    if not (isinstance(hooks, Sequence) and all(map(callable, hooks))):
        raise TypeError(f"hooks={hooks!r}: expected a sequence of functions (kernel) -> None")
    return Setup(roles, scenario_of(scenario, begin, end), config, hooks, render_mode, drawing)
