"""What stands behind the vehicle ids: vehicles as agents, alone, together, or with signals."""

from collections.abc import Mapping, Sequence
from typing import Any

from sumo_gymnasium.actions import Action
from sumo_gymnasium.agents import Role, Signals, Vehicles
from sumo_gymnasium.envs.hosted import Hosted
from sumo_gymnasium.envs.loop import Hook
from sumo_gymnasium.envs.making import SIGNAL, VEHICLE, role, setup
from sumo_gymnasium.envs.parallel import ParallelAgentsEnv
from sumo_gymnasium.envs.single import SingleAgentEnv
from sumo_gymnasium.observations import Observation
from sumo_gymnasium.renderers.drawing import Drawing
from sumo_gymnasium.rewards import Reward
from sumo_gymnasium.scenarios.registry import ScenarioLike
from sumo_gymnasium.terminations import Termination

AGENT = ("agent",)  # the vehicle type of agents in our own scenarios


def vehicle(
    *,
    scenario: ScenarioLike = "highway",
    types: Sequence[str] | None = None,
    pattern: str | None = None,
    warm_up: float = 0.0,
    observation: str | Observation = "leader_and_follower",
    action: str | Action = "acceleration",
    reward: str | Reward = "desired_velocity",
    terminations: Sequence[str | Termination] = (),
    begin: float | None = None,
    end: float | None = None,
    hooks: Sequence[Hook] = (),
    render_mode: str | None = None,
    drawing: Drawing | None = None,
    decision_interval: float = 1.0,
    **settings: Any,
) -> SingleAgentEnv:
    """One vehicle of a scenario as a Gymnasium environment; SUMO's drivers drive the others.

    The agent is the first vehicle that fits. The episode ends with it: terminated when it arrives, collides, or goes
    otherwise (`info["status"]`), truncated at the scenario's end.

    Args:
        scenario: see `scenarios.registry.scenario_of`.
        types: which vehicle types may be the agent; None: any.
        pattern: which ids may be, as a shell pattern; None: any.
        warm_up: s of traffic before the agent is chosen.
        observation: a name, "package.module:object", or an object.
        action: the same.
        reward: the same.
        terminations: the same, several; what else ends the agent.
        begin: s, in place of the scenario's.
        end: s at which the episode is truncated, in place of the scenario's.
        hooks: called with the kernel after every simulation step, where the simulation lives.
        render_mode: one of `metadata["render_modes"]`.
        drawing: size of the frames; None: 600 × 600 of the whole network.
        decision_interval: simulated s of one `step()`.
        settings: the other fields of `SumoConfig`.

    Raises:
        ScenarioError: the files do not fit.
        TypeError: an argument that there is not.
        ValueError: a name or value that there is not.
    """
    agents = Vehicles(1, _types(types), pattern, warm_up=warm_up)
    ego = role(VEHICLE, agents, observation, action, reward, terminations)
    others = (begin, end, hooks, render_mode, drawing)
    settings["decision_interval"] = decision_interval
    return SingleAgentEnv(setup([ego], scenario, ARGUMENTS, *others, **settings))


def parallel_vehicle(
    *,
    scenario: ScenarioLike = "ring",
    most: int = 32,
    types: Sequence[str] | None = AGENT,
    pattern: str | None = None,
    share: float = 1.0,
    warm_up: float = 0.0,
    observation: str | Observation = "leader_and_follower",
    action: str | Action = "acceleration",
    reward: str | Reward = "desired_velocity",
    terminations: Sequence[str | Termination] = (),
    decision_interval: float = 1.0,
    **others: Any,
) -> ParallelAgentsEnv:
    """Vehicles of a scenario as a PettingZoo environment: agents come and go, and a name is never used again.

    Args:
        scenario: see `vehicle`.
        most: how many may be agents in an episode, which are `possible_agents`; later ones drive as SUMO's drivers do.
        types: see `vehicle`.
        pattern: see `vehicle`.
        share: part of the vehicles that fit which are agents, drawn from the seed.
        warm_up: see `vehicle`.
        observation: see `vehicle`.
        action: see `vehicle`.
        reward: see `vehicle`.
        terminations: see `vehicle`.
        decision_interval: see `vehicle`.
        others: `begin`, `end`, `hooks`, `render_mode`, `drawing`, and the fields of `SumoConfig`.

    Raises:
        ScenarioError: the files do not fit.
        TypeError: an argument that there is not.
        ValueError: a name or value that there is not.
    """
    drivers = _vehicles(most, types, pattern, share, warm_up, observation, action, reward, terminations)
    others["decision_interval"] = decision_interval
    return ParallelAgentsEnv(setup([drivers], scenario, PARALLEL, **others), name="vehicle_v0")


def parallel_traffic(
    *,
    scenario: ScenarioLike = "grid",
    signals: Mapping[str, Any] | None = None,
    vehicles: Mapping[str, Any] | None = None,
    decision_interval: float = 1.0,
    **others: Any,
) -> ParallelAgentsEnv:
    """Signals and vehicles of a scenario in one PettingZoo environment.

    Args:
        scenario: see `vehicle`.
        signals: `ids` of those that act, and their `observation`, `action`, `reward`; None: all, as by default.
        vehicles: `most`, `types`, `pattern`, `share`, `warm_up` as in `parallel_vehicle` (`types` is None by default),
            and their `observation`, `action`, `reward`, `terminations`.
        decision_interval: see `vehicle`; signals that are to decide more rarely have an action with durations.
        others: `begin`, `end`, `hooks`, `render_mode`, `drawing`, and the fields of `SumoConfig`.

    Raises:
        ScenarioError: the files do not fit.
        TypeError: an argument that there is not.
        ValueError: a name or value that there is not.
    """
    roles = [_signals(**(signals or {})), _vehicles(**(vehicles or {}))]
    others["decision_interval"] = decision_interval
    return ParallelAgentsEnv(setup(roles, scenario, TOGETHER, **others), name="traffic_v0")


ARGUMENTS = tuple(vehicle.__kwdefaults__ or ())
PARALLEL = (*(parallel_vehicle.__kwdefaults__ or ()), "begin", "end", "hooks", "render_mode", "drawing")
TOGETHER = ("scenario", "signals", "vehicles", "decision_interval", "begin", "end", "hooks", "render_mode", "drawing")

# gymnasium.make reads from what it calls whether it must add the window of render_mode="human" itself
vehicle.metadata = Hosted.metadata  # type: ignore[attr-defined]


def _signals(
    ids: Sequence[str] | None = None,
    observation: str | Observation = "phase_and_queues",
    action: str | Action = "phase",
    reward: str | Reward = "waiting_time_decrease",
) -> Role:
    return role(SIGNAL, Signals(None if ids is None else tuple(ids)), observation, action, reward)


def _vehicles(
    most: int = 32,
    types: Sequence[str] | None = None,
    pattern: str | None = None,
    share: float = 1.0,
    warm_up: float = 0.0,
    observation: str | Observation = "leader_and_follower",
    action: str | Action = "acceleration",
    reward: str | Reward = "desired_velocity",
    terminations: Sequence[str | Termination] = (),
) -> Role:
    agents = Vehicles(most, _types(types), pattern, share, warm_up)
    return role(VEHICLE, agents, observation, action, reward, terminations)


def _types(given: Sequence[str] | None) -> tuple[str, ...] | None:
    if isinstance(given, str):
        raise TypeError(f"types={given!r}: expected a sequence of vehicle types, or None for any")
    return None if given is None else tuple(given)
