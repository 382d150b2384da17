"""One run of this package, as a process of its own so that its CPU seconds can be taken: see speed.py.

All signals keep their programs, and every signal is observed and rewarded after each decision. Prints SUMO's seed, and
the CPU seconds from the first step to the KPIs.
"""

import argparse

from cpu import used

from sumo_gymnasium.actions.signal import KeepProgram
from sumo_gymnasium.agents import Role, Signals
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.envs.host import Host
from sumo_gymnasium.envs.loop import DecisionLoop
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.observations.signal import PhaseAndQueues
from sumo_gymnasium.rewards import REWARDS
from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.scenarios.scenario import Scenario


def watching(scenario: Scenario, config: SumoConfig) -> DecisionLoop:
    """A loop in which every signal is an agent that leaves its program alone."""
    signals = Signals(Kernel(scenario, config).traffic_light.ids)
    role = Role(signals, KeepProgram(), PhaseAndQueues(), REWARDS["waiting_time_decrease"])
    return DecisionLoop(scenario, config, [role])


def run(host: Host, seed: int, steps: bool) -> tuple[int, float]:
    """One episode, or only its begin and end; SUMO's seed, and the CPU seconds of the steps."""
    reply = host.reset(seed)
    nothing = dict.fromkeys(reply.outcomes, 0)
    before = used()
    while steps and reply.episode is None:
        reply = host.step(nothing)
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
    asked = parser.parse_args()
    config = SumoConfig(host=asked.host, output_dir=asked.folder)
    loop = watching(scenario_of(asked.scenario, end=asked.end), config)
    print(*run(Host(loop, config), asked.seed, steps=not asked.no_steps))


if __name__ == "__main__":
    main()
