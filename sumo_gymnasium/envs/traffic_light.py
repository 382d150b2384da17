"""What stands behind "SumoTrafficLight-v0": one signal as agent, the others keep their programs."""

from collections.abc import Sequence
from typing import Any

from sumo_gymnasium.actions import Action
from sumo_gymnasium.actions.signal import ACTIONS
from sumo_gymnasium.agents import OneSignal, Role
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.envs.loop import Hook
from sumo_gymnasium.envs.single import SingleAgentEnv
from sumo_gymnasium.names import resolve
from sumo_gymnasium.observations import Observation
from sumo_gymnasium.observations.signal import OBSERVATIONS
from sumo_gymnasium.renderers.drawing import Drawing
from sumo_gymnasium.rewards import REWARDS, Reward
from sumo_gymnasium.scenarios.registry import ScenarioLike, scenario_of


def traffic_light(
    *,
    scenario: ScenarioLike = "intersection-uniform",
    signal: str | None = None,
    observation: str | Observation = "phase_and_queues",
    action: str | Action = "phase",
    reward: str | Reward = "waiting_time_decrease",
    begin: float | None = None,
    end: float | None = None,
    hooks: Sequence[Hook] = (),
    render_mode: str | None = None,
    drawing: Drawing | None = None,
    **settings: Any,
) -> SingleAgentEnv:
    """One signal of a scenario as a Gymnasium environment.

    Args:
        scenario: see `scenarios.registry.scenario_of`.
        signal: SUMO's id of the signal; None if the network has only one. The others keep their programs.
        observation: a name, "package.module:object", or an object.
        action: the same.
        reward: the same.
        begin: s, in place of the scenario's.
        end: s at which the episode is truncated, in place of the scenario's.
        hooks: called with the kernel after every simulation step, where the simulation lives.
        render_mode: one of `metadata["render_modes"]`.
        drawing: size and radius of the frames; None: 600 × 600 around the signal.
        settings: the fields of `SumoConfig`.

    Raises:
        ScenarioError: the files do not fit, or which signal is meant is open.
        TypeError: an argument that there is not.
        ValueError: a name or value that there is not.
    """
    config = SumoConfig.of(settings, others=ARGUMENTS)
    if not (isinstance(hooks, Sequence) and all(map(callable, hooks))):
        raise TypeError(f"hooks={hooks!r}: expected a sequence of functions (kernel) -> None")
    role = Role(
        agents=OneSignal(signal),
        action=resolve("action", ACTIONS, action, needs=("space", "apply", "info")),
        observation=resolve("observation", OBSERVATIONS, observation, needs=("space", "__call__")),
        reward=resolve("reward", REWARDS, reward, needs=("metrics", "__call__")),
    )
    return SingleAgentEnv(role, scenario_of(scenario, begin, end), config, hooks, render_mode, drawing)


ARGUMENTS = tuple(traffic_light.__kwdefaults__ or ())

# gymnasium.make reads from what it calls whether it must add the window of render_mode="human" itself
traffic_light.metadata = SingleAgentEnv.metadata  # type: ignore[attr-defined]
