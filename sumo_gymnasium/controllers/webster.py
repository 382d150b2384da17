"""Webster's plan, made anew from the flows of the last minutes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sumo_gymnasium.controllers.choice import positive
from sumo_gymnasium.controllers.controller import PHASES
from sumo_gymnasium.controllers.cycle import in_turn
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.signals.webster import webster

PRIORITY = {"G": 1.0, "g": 0.5}  # how well a letter serves a link; red does not
LEAST = 0.01  # the flow ratio of a phase that nobody came for


@dataclass(frozen=True)
class Webster:
    """The phases in program order with Webster's cycle and greens (F. V. Webster 1958; see `signals.webster`).

    Every `interval` a plan is made from the vehicles that came onto the incoming lanes since the last one; until the
    first, all greens are equal. A lane's flow is served by the phases that give its links most priority (G before g
    before red), in equal parts if there are several. A vehicle that passes a lane between two decisions is missed.

    Attributes:
        interval: s.
        saturation_flow: of a lane, veh/h; 1600 was measured in SUMO 1.28 behind full queues.
        lost_time: the part of a green and yellow in which nobody passes, s; measured likewise. All-red comes on top.
        first_green: of each phase until the first plan, s.
        max_cycle: s.
    """

    acts: ClassVar[tuple[str, ...]] = PHASES

    interval: float = 300.0
    saturation_flow: float = 1600.0
    lost_time: float = 3.6
    first_green: float = 15.0
    max_cycle: float = 120.0

    def __post_init__(self) -> None:
        for name in ("interval", "lost_time", "first_green", "max_cycle"):
            positive(name, getattr(self, name), "s")
        positive("saturation_flow", self.saturation_flow, "veh/h")

    def __call__(self, kernel: Kernel, signal: str) -> int:
        """The phase."""
        memory, now = kernel.memory(self, signal), kernel.simulation.time
        if not memory:
            shares = _shares(kernel, signal)
            greens = (self.first_green,) * len(shares)
            memory.update(shares=shares, greens=greens, planned=now, earlier=frozenset(), lane_of={})
        occupied = kernel.network.occupied(kernel.traffic_light.incoming_lanes(signal))
        present = {vehicle: lane for _, lane, vehicles in occupied for vehicle in vehicles}
        memory["lane_of"].update(present)
        if now - memory["planned"] >= self.interval:
            memory["greens"] = self._plan(kernel, signal, now - memory["planned"])
            memory.update(planned=now, earlier=frozenset(present), lane_of={})
        return in_turn(kernel, signal, memory["greens"])

    def _plan(self, kernel: Kernel, signal: str, seconds: float) -> tuple[float, ...]:
        """The green of each phase, s."""
        memory, timing = kernel.memory(self, signal), kernel.traffic_light.timing_of(signal)
        came = Counter(lane for vehicle, lane in memory["lane_of"].items() if vehicle not in memory["earlier"])
        capacity = self.saturation_flow * seconds / 3600  # veh
        ratios = [
            max((share * came[lane] for lane, share in phase), default=0) / capacity for phase in memory["shares"]
        ]
        return webster(
            [max(ratio, LEAST) for ratio in ratios],
            phase_lost_time=self.lost_time + timing.all_red,
            intergreen=timing.yellow + timing.all_red,
            min_green=timing.min_green,
            max_cycle=self.max_cycle,
            step_length=kernel.simulation.step_length,
        ).greens


def _shares(kernel: Kernel, signal: str) -> tuple[tuple[tuple[str, float], ...], ...]:
    """For each phase the lanes that it serves, with its share of their flow."""
    signals = kernel.traffic_light
    links: dict[str, list[int]] = {lane: [] for lane in signals.incoming_lanes(signal)}
    for link in signals.links(signal):
        if not link.crossing and link.origin in links:
            links[link.origin].append(link.index)
    found: list[list[tuple[str, float]]] = [[] for _ in signals.phases(signal)]
    for lane, indices in links.items():
        for phase, share in enumerate(_served(signals.phases(signal), indices)):
            if share:
                found[phase].append((lane, share))
    return tuple(map(tuple, found))


def _served(phases: Sequence[str], indices: Sequence[int]) -> list[float]:
    """For each phase its share of the flow over the links with these indices."""
    levels = [sum(PRIORITY.get(state[index], 0.0) for index in indices) for state in phases]
    serving = [bool(level) and level == max(levels) for level in levels]
    return [serves / max(1, sum(serving)) for serves in serving]
