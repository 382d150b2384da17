"""What stands behind the traffic light ids: signals as agents, the others keep their programs."""

from collections.abc import Iterable, Sequence
from typing import Any

from sumo_gymnasium.actions import Action
from sumo_gymnasium.agents import Agents, OneSignal, Signals
from sumo_gymnasium.envs.central import CentralEnv
from sumo_gymnasium.envs.hosted import Hosted, Setup
from sumo_gymnasium.envs.loop import Hook
from sumo_gymnasium.envs.making import SIGNAL, role, setup
from sumo_gymnasium.envs.parallel import ParallelAgentsEnv
from sumo_gymnasium.envs.single import SingleAgentEnv
from sumo_gymnasium.observations import Observation
from sumo_gymnasium.renderers.drawing import Drawing
from sumo_gymnasium.rewards import Reward
from sumo_gymnasium.scenarios.registry import ScenarioLike

SEVERAL = "grid"  # the scenario of the envs with several agents, unless another is asked for


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
    agent = role(SIGNAL, OneSignal(signal), observation, action, reward)
    others = (begin, end, hooks, render_mode, drawing)
    return SingleAgentEnv(setup([agent], scenario, ARGUMENTS, *others, **settings))


def parallel_traffic_light(
    *, scenario: ScenarioLike = SEVERAL, signals: Iterable[str] | None = None, **arguments: Any
) -> ParallelAgentsEnv:
    """Signals of a scenario as a PettingZoo environment, each an agent by SUMO's id.

    Args:
        scenario: see `traffic_light`.
        signals: the ids of those that act; None: all that have a phase to choose. The others keep their programs.
        arguments: the others of `traffic_light`.

    Raises:
        ScenarioError: the files do not fit, or a signal cannot act.
        TypeError: an argument that there is not.
        ValueError: a name or value that there is not.
    """
    return ParallelAgentsEnv(_setup(_several(signals), scenario, **arguments), name="traffic_light_v0")


def central_traffic_light(
    *, scenario: ScenarioLike = SEVERAL, signals: Iterable[str] | None = None, flat: bool = True, **arguments: Any
) -> CentralEnv:
    """Signals of a scenario as one agent of Gymnasium; see `CentralEnv`.

    Args:
        scenario: see `traffic_light`.
        signals: see `parallel_traffic_light`.
        flat: one Box as observation; False: a Dict by signal.
        arguments: the others of `traffic_light`.

    Raises:
        ScenarioError: the files do not fit, or a signal cannot act.
        TypeError: an argument that there is not.
        ValueError: a name or value that there is not, or actions of different kinds.
    """
    return CentralEnv(_setup(_several(signals), scenario, **arguments), flat)


# gymnasium.make reads from what it calls whether it must add the window of render_mode="human" itself
traffic_light.metadata = Hosted.metadata  # type: ignore[attr-defined]
central_traffic_light.metadata = Hosted.metadata  # type: ignore[attr-defined]


def _setup(
    agents: Agents,
    scenario: ScenarioLike,
    observation: str | Observation = "phase_and_queues",
    action: str | Action = "phase",
    reward: str | Reward = "waiting_time_decrease",
    **others: Any,
) -> Setup:
    if "signal" in others:
        raise TypeError("'signal' is for one signal; here it is: signals=['its id']")
    return setup([role(SIGNAL, agents, observation, action, reward)], scenario, SEVERALS, **others)


ARGUMENTS = tuple(traffic_light.__kwdefaults__ or ())
SEVERALS = (*(argument for argument in ARGUMENTS if argument != "signal"), "signals", "pad", "masked", "flat")


def _several(signals: Iterable[str] | None) -> Signals:
    if signals is None:
        return Signals()
    if isinstance(signals, str) or not isinstance(signals, Iterable):
        raise TypeError(f"signals={signals!r}: expected a sequence of ids, or None for all signals")
    ids = tuple(signals)
    if not ids or len(set(ids)) < len(ids):
        raise ValueError(f"signals={ids!r}: expected one id or more, each once")
    return Signals(ids)
