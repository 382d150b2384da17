"""Max pressure: the phase that moves most vehicles from full lanes to empty ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from sumo_gymnasium.controllers.choice import approach, best, counts, green_links, positive
from sumo_gymnasium.controllers.controller import PHASES
from sumo_gymnasium.kernels.kernel import Kernel

REACH = 100.0  # m


@dataclass(frozen=True)
class MaxPressure:
    """The legal phase of the highest pressure; of equals the present one (Varaiya 2013).

    P. Varaiya, Max pressure control of a network of signalized intersections, Transportation Research Part C 36
    (2013), 177–195, with equal saturation flows, and lanes in place of movements: the pressure of a phase is the sum,
    over its green links for vehicles, of the vehicles on the lane that the link leaves less those on the lane that it
    enters. Vehicles count as soon as their front is on the lane, moving or not; an incoming lane shorter than `reach`
    is counted with the lanes before it.

    Attributes:
        reach: m.
    """

    reach: float = REACH
    acts: ClassVar[tuple[str, ...]] = PHASES

    def __post_init__(self) -> None:
        positive("reach", self.reach, "m")

    def __call__(self, kernel: Kernel, signal: str) -> int:
        """The phase."""
        return best(kernel, signal, pressures(self, kernel, signal, self.reach))


def pressures(strategy: object, kernel: Kernel, signal: str, reach: float = REACH) -> Sequence[float]:
    """For each phase its pressure, veh; which links and lanes it has is kept in the memory of `strategy`."""
    memory, signals = kernel.memory(strategy, signal), kernel.traffic_light
    if "pairs" not in memory:
        links = green_links(kernel, signal)
        memory["pairs"] = tuple(tuple((link.origin, link.target) for link in phase) for phase in links)
        approaches = {lane: approach(kernel, lane, reach) for lane in signals.incoming_lanes(signal)}
        memory.update(approaches=approaches, before=tuple(dict.fromkeys(chain(*approaches.values()))))
    each = counts(kernel, memory["before"])
    before = {lane: sum(each.get(one, 0) for one in lanes) for lane, lanes in memory["approaches"].items()}
    behind = counts(kernel, signals.outgoing_lanes(signal))
    return [sum(before.get(origin, 0) - behind.get(target, 0) for origin, target in phase) for phase in memory["pairs"]]
