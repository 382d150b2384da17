"""Max pressure: the phase that moves most vehicles from full lanes to empty ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from sumo_gymnasium.controllers.choice import best, counts, green_links
from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class MaxPressure:
    """The legal phase of the highest pressure; of equals the present one (Varaiya 2013).

    P. Varaiya, Max pressure control of a network of signalized intersections, Transportation Research Part C 36
    (2013), 177–195, with equal saturation flows, and lanes in place of movements: the pressure of a phase is the sum,
    over its green links for vehicles, of the vehicles on the lane that the link leaves less those on the lane that it
    enters. Vehicles count as soon as their front is on the lane, moving or not.
    """

    def __call__(self, kernel: Kernel, signal: str) -> int:
        """The phase."""
        return best(kernel, signal, pressures(self, kernel, signal))


def pressures(strategy: object, kernel: Kernel, signal: str) -> Sequence[float]:
    """For each phase its pressure, veh; which links it has is kept in the memory of `strategy`."""
    memory, signals = kernel.memory(strategy, signal), kernel.traffic_light
    if "pairs" not in memory:
        links = green_links(kernel, signal)
        memory["pairs"] = tuple(tuple((link.origin, link.target) for link in phase) for phase in links)
    before = counts(kernel, signals.incoming_lanes(signal))
    behind = counts(kernel, signals.outgoing_lanes(signal))
    return [sum(before.get(origin, 0) - behind.get(target, 0) for origin, target in phase) for phase in memory["pairs"]]
