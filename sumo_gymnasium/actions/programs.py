"""Programs that SUMO runs itself, in place of the signal's own."""

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from gymnasium import spaces

from sumo_gymnasium.config import SHORTEST, time
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.names import unknown
from sumo_gymnasium.scenarios.programs import element
from sumo_gymnasium.signals.program import NEMA, Program

Type = Literal["actuated", "delay_based"]


@dataclass(frozen=True)
class RunProgram:
    """From the first decision on SUMO runs an actuated or delay-based version of the signal's program: Discrete(1).

    The states, their order, yellow and all else that is no phase keep their durations; each phase shows from
    `min_green` to `max_green`. An actuated program ends a phase at a gap in the traffic, a delay-based one when
    nobody with time loss approaches any more (sumo.dlr.de/docs/Simulation/Traffic_Lights.html).

    Attributes:
        type: "actuated" or "delay_based".
        min_green: s.
        max_green: s.
    """

    type: Type = "actuated"
    min_green: float = 5.0
    max_green: float = 50.0

    def __post_init__(self) -> None:
        if self.type not in get_args(Type):
            raise ValueError(unknown("type of program", str(self.type), dict.fromkeys(get_args(Type))))
        time("min_green", self.min_green, least=SHORTEST)
        time("max_green", self.max_green, least=self.min_green)

    def space(self, kernel: Kernel, signal: str) -> spaces.Space[Any]:
        """One action."""
        return spaces.Discrete(1)

    def programs(self, kernel: Kernel, signal: str) -> str:
        """The program as SUMO is to load it.

        Given later, a delay-based one kills SUMO 1.28: its detectors find vehicles on them that never came.

        Raises:
            ScenarioError: the signal's program is no sequence of states with a green.
        """
        signals = kernel.traffic_light
        signals.must_offer_phases(signal)
        if signals.program(signal).type == NEMA:
            raise ScenarioError(f"signal {signal!r}: a NEMA program is no sequence of states; leave it to itself")
        program, phases = self._version(signals.program(signal)), signals.phases(signal)
        bounds = [
            (self.min_green, self.max_green) if state in phases else (duration, duration)
            for state, duration in zip(program.states, program.durations, strict=True)
        ]
        return element(program, bounds)

    def apply(self, kernel: Kernel, signal: str, action: Any) -> None:
        """Start the program, if it does not run yet."""
        memory = kernel.memory(self, signal)
        if not memory:
            kernel.traffic_light.run(signal, self._version(kernel.traffic_light.program(signal)))
            memory["runs"] = True

    def info(self, kernel: Kernel, signal: str) -> dict[str, Any]:
        """The phase that the program shows or goes to next."""
        return {"phase": kernel.traffic_light.phase(signal), "action_mask": np.array((1,), dtype=np.int8)}

    def _version(self, program: Program) -> Program:
        return replace(program, program_id=f"{program.program_id} {self.type}", type=self.type)
