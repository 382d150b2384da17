"""Max pressure that sends no vehicles to where there is no room for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from sumo_gymnasium.controllers.choice import counts, green_links, legal_phases, positive
from sumo_gymnasium.controllers.controller import PHASES
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.net import Link

GAP = 2.5  # m between standing vehicles: SUMO's minGap unless a type says otherwise


@dataclass(frozen=True)
class GuardedMaxPressure:
    """Max pressure with a guard against spill-back, which leaves no phase waiting for room that never comes.

    After J. Gregoire, X. Qian, E. Frazzoli, A. de La Fortelle, T. Wongpiromsarn, Capacity-aware back-pressure traffic
    signal control, IEEE Transactions on Control of Network Systems 2 (2015), 164–173, who show that plain max pressure
    fails with roads of finite length: it may serve full exits, or nobody. Their remedy is a normalized pressure; here

    - a link counts only while its exit lane has room for one more vehicle,
    - it adds max(0, incoming − outgoing vehicles), so that a long exit does not outweigh those who wait,
    - of equal phases the one with more vehicles before open links is shown, then the present one: while anybody can
      be served, somebody is,
    - a phase whose vehicles, the first of each lane, all stand after `patience` of green makes way for the others
      that anybody waits for, until one of them moves its own, or all have been tried.

    Attributes:
        room: free length that an exit lane needs, as if all on it stood, m. An empty one has room.
        patience: s.
    """

    acts: ClassVar[tuple[str, ...]] = PHASES

    room: float = 7.5
    patience: float = 30.0

    def __post_init__(self) -> None:
        positive("room", self.room, "m")
        positive("patience", self.patience, "s")

    def __call__(self, kernel: Kernel, signal: str) -> int:
        """The phase."""
        memory, signals = kernel.memory(self, signal), kernel.traffic_light
        if not memory:
            memory.update(links=green_links(kernel, signal), stalled=set())
        legal, present = legal_phases(kernel, signal), signals.phase(signal)
        self._look(kernel, signal, memory)
        before = counts(kernel, signals.incoming_lanes(signal))
        behind = self._behind(kernel, signals.outgoing_lanes(signal))
        scores = [_score(links, before, behind) for links in memory["links"]]
        stalled = memory["stalled"]
        if stalled.issuperset(phase for phase, (_, served) in enumerate(scores) if served):
            stalled.clear()
        return max(legal, key=lambda phase: (phase not in stalled, scores[phase], phase == present, -phase))

    def _look(self, kernel: Kernel, signal: str, memory: Mapping[str, Any]) -> None:
        """Note whether the present phase moves anybody."""
        signals = kernel.traffic_light
        present, green_time = signals.phase(signal), signals.green_time(signal)
        green = {link.origin for link in memory["links"][present]}
        first = [
            vehicles[-1]
            for _, lane, vehicles in kernel.network.occupied(signals.incoming_lanes(signal))
            if lane in green
        ]
        if not first or not green_time:
            return
        if any(kernel.vehicle.speed(vehicle) >= 0.1 for vehicle in first):
            memory["stalled"].clear()
        elif green_time >= self.patience:
            memory["stalled"].add(present)

    def _behind(self, kernel: Kernel, lanes: tuple[str, ...]) -> Mapping[str, int | None]:
        """The vehicles on each exit lane that has some; None where there is no room for another."""
        network = kernel.network
        found: dict[str, int | None] = {}
        for lane, count in counts(kernel, lanes).items():
            free = network.length(lane) - count * (network.vehicle_length(lane) + GAP)
            found[lane] = count if free >= self.room else None
        return found


def _score(links: tuple[Link, ...], before: Mapping[str, int], behind: Mapping[str, int | None]) -> tuple[float, float]:
    """Pressure over the open links, and the vehicles before them, both in veh."""
    pressure, served = 0, 0
    for link in links:
        outgoing = behind.get(link.target, 0)
        if outgoing is not None:
            incoming = before.get(link.origin, 0)
            pressure += max(0, incoming - outgoing)
            served += incoming
    return pressure, served
