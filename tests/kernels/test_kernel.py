"""What strategies may remember, and the chance that they draw."""

from pathlib import Path

from sumo_gymnasium.backends.options import command_line
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.observations.detectors import Detectors
from sumo_gymnasium.observations.signal import PhaseAndQueues
from sumo_gymnasium.scenarios.registry import scenario_of


def started(folder: Path, seed: int) -> Kernel:
    kernel = Kernel(scenario_of("intersection-uniform"), SumoConfig())
    kernel.start(command_line(kernel.scenario, kernel.config, str(folder), seed), seed)
    return kernel


def test_memory__is_kept_by_strategy_and_agent_until_the_episode_ends(tmp_path: Path) -> None:
    kernel = started(tmp_path, 1)
    one, other = Detectors(PhaseAndQueues(), range=50), Detectors(PhaseAndQueues(), range=60)
    kernel.memory(one, "A")["seen"] = 1
    kernel.step()
    assert kernel.memory(Detectors(PhaseAndQueues(), range=50), "A") == {"seen": 1}
    assert kernel.memory(other, "A") == kernel.memory(one, "B") == {}
    kernel.close()
    kernel.start(command_line(kernel.scenario, kernel.config, str(tmp_path), 1), 1)
    assert kernel.memory(one, "A") == {}
    kernel.close()


def test_random__depends_on_seed_step_strategy_and_agent_only(tmp_path: Path) -> None:
    kernel = started(tmp_path, 1)
    strategy = PhaseAndQueues()

    def drawn() -> float:
        return float(kernel.random(strategy, "A").random())

    first = drawn()
    assert drawn() == first
    assert kernel.random(strategy, "B").random() != first
    assert kernel.random(drawn, "A").random() != first
    kernel.step()
    assert drawn() != first
    kernel.close()
    for seed, same in ((1, True), (2, False)):
        kernel.start(command_line(kernel.scenario, kernel.config, str(tmp_path), seed), seed)
        assert (drawn() == first) is same
        kernel.close()
