"""Fixed time: the plan that the network brings along."""

from dataclasses import dataclass
from typing import ClassVar

from sumo_gymnasium.controllers.controller import PHASES
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.signals.program import following
from sumo_gymnasium.signals.schedule import index_at


@dataclass(frozen=True)
class Fixed:
    """The phase that the network's own static program shows at this second, or is changing to.

    The env's yellow, all-red and min green are kept where the program has others, and the decision interval decides
    how exactly the plan is met: a phase that is over between two decisions is left out.
    """

    acts: ClassVar[tuple[str, ...]] = PHASES

    def __call__(self, kernel: Kernel, signal: str) -> int:
        """The phase.

        Raises:
            ValueError: the program has no plan, since it is of another type than static.
        """
        program = kernel.traffic_light.program(signal)
        if program.type != "static":
            raise ValueError(
                f"signal {signal!r} has a program of type {program.type!r}, which has no plan to replay; expected "
                "'static'. Make the env with action='program' to leave the signal to its program"
            )
        index = index_at(program, kernel.simulation.time)
        return following(program, kernel.traffic_light.phases(signal), program.states[index], index)
