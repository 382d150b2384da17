"""What stands behind "SumoTrafficLight-v0": one signal as agent, the others keep their programs."""

from collections.abc import Sequence
from typing import Any

from sumo_gymnasium.actions import Action
from sumo_gymnasium.actions.signal import ACTIONS
from sumo_gymnasium.agents import Role, Signals
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.envs.loop import Hook
from sumo_gymnasium.envs.single import SingleAgentEnv
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.names import resolve
from sumo_gymnasium.observations import Observation
from sumo_gymnasium.observations.signal import OBSERVATIONS
from sumo_gymnasium.renderers.drawing import Drawing
from sumo_gymnasium.rewards import REWARDS, Reward
from sumo_gymnasium.scenarios.registry import ScenarioLike, scenario_of

SHOWN = 30  # ids in a message


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
    found = scenario_of(scenario, begin, end, config.step_length)
    agent = choose(Kernel(found, config), signal, found.name)
    role = Role(
        agents=Signals((agent,)),
        action=resolve("action", ACTIONS, action, needs=("space", "apply", "info")),
        observation=resolve("observation", OBSERVATIONS, observation, needs=("space", "__call__")),
        reward=resolve("reward", REWARDS, reward, needs=("metrics", "__call__")),
    )
    return SingleAgentEnv(agent, role, found, config, hooks, render_mode, drawing)


ARGUMENTS = tuple(traffic_light.__kwdefaults__ or ())

# gymnasium.make reads from what it calls whether it must add the window of render_mode="human" itself
traffic_light.metadata = SingleAgentEnv.metadata  # type: ignore[attr-defined]


def choose(kernel: Kernel, signal: str | None, scenario: str) -> str:
    """The signal that acts: `signal`, or the only one that can.

    Raises:
        ScenarioError: there is none, or several, or `signal` cannot act.
    """
    signals = kernel.traffic_light
    if signal is not None:
        if not isinstance(signal, str):
            raise TypeError(f"signal={signal!r}: expected the id of one signal, a string")
        signals.must_offer_phases(signal)
        return signal
    able = [candidate for candidate in signals.ids if signals.phases(candidate)]
    if len(able) == 1:
        return able[0]
    if not able:
        raise ScenarioError(
            f"scenario {scenario!r}: the network has no traffic light with a green phase to choose; expected one. "
            "netconvert's --tls.guess or --tls.set adds them"
        )
    listed = ", ".join(map(repr, able[:SHOWN])) + (", …" if len(able) > SHOWN else "")
    raise ScenarioError(
        f"scenario {scenario!r} has {len(able)} traffic lights; choose one with signal='…', the others keep their "
        f"programs. There are: {listed}"
    )
