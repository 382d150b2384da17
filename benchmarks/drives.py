"""Episodes without agents, and what vehicles did in them."""

import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.envs.loop import DecisionLoop, Hook
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.modes import Modes
from sumo_gymnasium.scenarios.registry import scenario_of

SUMOS = Modes()  # all that SUMO checks by itself


class Drive:
    """A hook that sets the modes of all vehicles, and notes their speeds and how many arrive, step by step."""

    def __init__(self, modes: Modes) -> None:
        self.modes = modes
        self.step_length = 0.0
        self._speeds: list[list[float]] = []
        self._arrived: list[int] = []

    def __call__(self, kernel: Kernel) -> None:
        """See above. Modes are set at the first step, before any controller's first command counts."""
        if kernel.simulation.step == 1:
            kernel.vehicle.modes(dict.fromkeys(("human", "agent"), self.modes))
        self.step_length = kernel.simulation.step_length
        self._speeds.append([kernel.vehicle.speed(vehicle) for vehicle in kernel.vehicle.ids])
        self._arrived.append(len(kernel.simulation.arrived))

    def speeds(self, begin: float, end: float) -> NDArray[Any]:
        """Of each vehicle in each step between two times (s), m/s."""
        return np.concatenate([np.array(each) for each in self._speeds[self._steps(begin) : self._steps(end)]])

    def outflow(self, begin: float, end: float) -> float:
        """Arrivals between two times (s), veh/h."""
        return 3600 * sum(self._arrived[self._steps(begin) : self._steps(end)]) / (end - begin)

    def _steps(self, seconds: float) -> int:
        return round(seconds / self.step_length)


def drive(
    given: Any, seconds: float, seed: int, hooks: Sequence[Hook] = (), modes: Modes = SUMOS, step_length: float = 0.1
) -> Drive:
    """Run the scenario that `given` stands for to the end, in this process, with no agents but the hooks."""
    done = Drive(modes)
    config = SumoConfig(decision_interval=seconds, step_length=step_length)
    loop = DecisionLoop(scenario_of(given, end=seconds), config, (), (done, *hooks))
    with tempfile.TemporaryDirectory() as folder:
        try:
            loop.reset(seed, folder)
            loop.step({})
        finally:
            loop.close()
    return done
