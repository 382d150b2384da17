"""Cyclic max pressure: every phase in its turn, with a share of the cycle by pressure."""

import math
from dataclasses import dataclass
from typing import ClassVar

from sumo_gymnasium.controllers.choice import positive
from sumo_gymnasium.controllers.controller import PHASES
from sumo_gymnasium.controllers.cycle import in_turn
from sumo_gymnasium.controllers.pressure import pressures
from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class CyclicMaxPressure:
    """The phases in program order in a fixed cycle, planned anew as each cycle begins.

    T. Le, P. Kovács, N. Walton, H. L. Vu, L. L. H. Andrew, S. P. Hoogendoorn, Decentralized signal control for urban
    road networks, Transportation Research Part C 58 (2015), 431–450: the green of phase i is its share
    exp(η w_i) / Σ exp(η w_j) of the time in the cycle that can be shared, where w_i is its pressure (as `MaxPressure`
    counts it). Here each phase has its min green first, so that what is shared is the rest.

    Attributes:
        cycle: with its intergreens, s; longer if that many min greens need it.
        sensitivity: η, 1/veh: 0 shares equally, a large one leaves nearly all to the highest pressure.
    """

    acts: ClassVar[tuple[str, ...]] = PHASES

    cycle: float = 90.0
    sensitivity: float = 0.1

    def __post_init__(self) -> None:
        positive("cycle", self.cycle, "s")
        if not 0 <= self.sensitivity < math.inf:
            raise ValueError(f"sensitivity={self.sensitivity!r}: expected a number of 0 or more, in 1/veh")

    def __call__(self, kernel: Kernel, signal: str) -> int:
        """The phase."""
        memory, present = kernel.memory(self, signal), kernel.traffic_light.phase(signal)
        if "greens" not in memory:
            memory["greens"] = self.greens(kernel, signal)
        phase = in_turn(kernel, signal, memory["greens"])
        if phase == 0 and present != 0:
            memory["greens"] = self.greens(kernel, signal)
        return phase

    def greens(self, kernel: Kernel, signal: str) -> tuple[float, ...]:
        """The green of each phase, s."""
        timing = kernel.traffic_light.timing_of(signal)
        weights = pressures(self, kernel, signal)
        fixed = len(weights) * (timing.min_green + timing.yellow + timing.all_red)
        shares = [math.exp(self.sensitivity * (weight - max(weights))) for weight in weights]
        rest = max(0.0, self.cycle - fixed)
        return tuple(timing.min_green + rest * share / sum(shares) for share in shares)
