"""One run of this package, as a process of its own so that its CPU seconds can be taken: see speed.py.

All signals keep their programs (or, with --act, are agents that replay them phase by phase), and every signal is
observed and rewarded after each decision. Prints SUMO's seed, and the CPU seconds from the first step to the KPIs.
"""

import argparse

from cpu import used

from sumo_gymnasium.actions.signal import ChoosePhase, KeepProgram
from sumo_gymnasium.agents import Role, Signals
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.controllers.fixed import Fixed
from sumo_gymnasium.envs.host import Host
from sumo_gymnasium.envs.loop import DecisionLoop
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.observations.signal import PhaseAndQueues
from sumo_gymnasium.rewards import REWARDS
from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.scenarios.scenario import Scenario

FIXED = Fixed()


def watching(scenario: Scenario, config: SumoConfig, act: bool = False) -> DecisionLoop:
    """A loop in which every signal is an agent that leaves its program alone, or chooses phases."""
    signals = Signals() if act else Signals(Kernel(scenario, config).traffic_light.ids)
    action = ChoosePhase() if act else KeepProgram()
    role = Role(signals, action, PhaseAndQueues(), REWARDS["waiting_time_decrease"])
    return DecisionLoop(scenario, config, [role])


def replay(kernel: Kernel, signals: list[str]) -> dict[str, int]:
    """The phases that the programs would show."""
    return {signal: FIXED(kernel, signal) for signal in signals}


def run(host: Host, seed: int, steps: bool, act: bool = False) -> tuple[int, float]:
    """One episode, or only its begin and end; SUMO's seed, and the CPU seconds of the steps."""
    reply = host.reset(seed)
    nothing = dict.fromkeys(reply.outcomes, 0)
    before = used()
    while steps and reply.episode is None:
        reply = host.step(host.query(replay, list(nothing)) if act else nothing)
    taken = used() - before
    host.close()
    assert host.last_episode is not None
    return host.last_episode.seed, taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario")
    parser.add_argument("end", type=float)
    parser.add_argument("folder")
    parser.add_argument("--host", choices=("inline", "worker"), default="inline")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-steps", action="store_true")
    parser.add_argument("--act", action="store_true", help="all signals are agents that act")
    asked = parser.parse_args()
    config = SumoConfig(host=asked.host, output_dir=asked.folder)
    loop = watching(scenario_of(asked.scenario, end=asked.end), config, asked.act)
    print(*run(Host(loop, config), asked.seed, steps=not asked.no_steps, act=asked.act))


if __name__ == "__main__":
    main()
