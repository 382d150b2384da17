"""One random network of soak.py: random actions, and every state of the acting signals checked in every step."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from sumo_gymnasium.actions.signal import ChoosePhase
from sumo_gymnasium.agents import Role, Signals
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.envs.loop import DecisionLoop
from sumo_gymnasium.envs.traffic_light import traffic_light
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.observations.signal import PhaseAndQueues
from sumo_gymnasium.rewards import REWARDS
from sumo_gymnasium.scenarios.generate import random_network
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.testing.signal_invariants import SignalInvariants

SWITCH = 0.2  # the chance, in each step, that another phase is asked for
TAKE_OVER = 60.0  # s, within which each signal is taken over when all act: in mid-program, in any state


def run_network(folder: Path, seed: int, seconds: float) -> Counter[str]:
    """What was seen. The step length and the times of the signals are drawn too, so that all kinds meet.

    Raises:
        AssertionError: a state, an observation or a mask was wrong.
    """
    random = Random(seed)
    scenario = random_network(folder, seed, end=seconds)
    step_length = random.choice((1.0, 1.0, 0.5, 0.25))
    scenario = Scenario(**{**vars(scenario), "step_length": step_length})
    settings = {**_timing(random), "decision_interval": step_length}
    able = _able(scenario)
    if not able:
        return Counter({"networks without a signal to control": 1})
    told = _one(scenario, settings, random, random.choice(able))
    return told + _all(scenario, settings, random, able)


def _timing(random: Random) -> dict[str, float | None]:
    return {
        "yellow": random.choice((2.0, 3.0, 4.0)),
        "all_red": random.choice((0.0, 1.0, 2.0)),
        "min_green": random.choice((3.0, 5.0, 10.0)),
        "max_green": random.choice((None, 10.0, 30.0)),
    }


def _able(scenario: Scenario) -> list[str]:
    signals = Kernel(scenario, SumoConfig()).traffic_light
    return [signal for signal in signals.ids if signals.phases(signal)]


def _one(scenario: Scenario, settings: dict[str, Any], random: Random, signal: str) -> Counter[str]:
    """One signal acts, through the env."""
    env = traffic_light(scenario=scenario, signal=signal, **settings)
    observation, info = env.reset(seed=random.randrange(2**31))
    watch = env.query(_watch, signal)
    watch.see(env.query(_state, signal))
    action, steps, truncated = 0, 0, False
    while not truncated:
        mask = info["action_mask"]
        if random.random() < SWITCH:
            action = random.randrange(len(mask))
        observation, _, _, truncated, info = env.step(action)
        steps += 1
        assert env.observation_space.contains(observation), f"{signal}: {observation} is not in the space"
        assert not mask[action] or info["phase"] == action, f"{signal}: phase {action} was legal, not carried out"
        if not truncated:
            watch.see(env.query(_state, signal))
    env.close()
    return Counter({"networks": 1, "states of one signal": steps})


def _all(scenario: Scenario, settings: dict[str, Any], random: Random, able: list[str]) -> Counter[str]:
    """All signals act, each from a moment of its own; before, its own program runs."""
    config = SumoConfig.of(settings)
    role = Role(Signals(tuple(able)), ChoosePhase(), PhaseAndQueues(), REWARDS["waiting_time_decrease"])
    loop = DecisionLoop(scenario, config, [role])
    from_step = {signal: random.randrange(round(TAKE_OVER / scenario.step_length)) for signal in able}
    watches = {signal: _watch(loop.kernel, signal) for signal in able}
    folder = str(Path(scenario.net_file).parent)
    reply, step, seen = loop.reset(random.randrange(2**31), folder), 0, 0
    while reply.episode is None:
        acting = [signal for signal in able if from_step[signal] <= step]
        for signal in acting:  # the first time, this is a state of its own program
            watches[signal].see(_state(loop.kernel, signal))
        seen += len(acting)
        reply = loop.step(_actions(loop.kernel, acting, random))
        step += 1
    return Counter({"signals": len(able), "states of all signals": seen})


def _actions(kernel: Kernel, acting: list[str], random: Random) -> dict[str, int]:
    signals = kernel.traffic_light
    return {
        signal: random.randrange(len(signals.phases(signal))) if random.random() < SWITCH else signals.phase(signal)
        for signal in acting
    }


def _watch(kernel: Kernel, signal: str) -> SignalInvariants:
    signals = kernel.traffic_light
    shown = (*signals.program(signal).states, *signals.phases(signal))  # NEMA's states are not its rings'
    together = [
        (one, other)
        for one, other in sorted(signals.foes(signal))
        if any(state[one] == state[other] == "G" for state in shown)
    ]
    yellow_steps = round(signals.timing_of(signal).yellow / kernel.simulation.step_length)
    return SignalInvariants(yellow_steps, signals.crossings(signal), signals.foes(signal), together)


def _state(kernel: Kernel, signal: str) -> str:
    return kernel.traffic_light.state(signal)
