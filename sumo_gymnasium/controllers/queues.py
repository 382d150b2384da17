"""The phase with most vehicles before it, whatever lies behind."""

from dataclasses import dataclass
from typing import ClassVar

from sumo_gymnasium.controllers.choice import best, green_lanes, near_counts, positive
from sumo_gymnasium.controllers.controller import PHASES
from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class Greedy:
    """The legal phase with most vehicles before it, queued or approaching; of equals the present one.

    J. Ault, G. Sharon, Reinforcement Learning Benchmarks for Traffic Signal Control, NeurIPS Datasets and Benchmarks
    2021, whose greedy agent also sees 50 m. A phase counts the vehicles on its green lanes, each lane once.

    Attributes:
        reach: how far before the stop line a vehicle is counted, m.
    """

    acts: ClassVar[tuple[str, ...]] = PHASES

    reach: float = 50.0

    def __post_init__(self) -> None:
        positive("reach", self.reach, "m")

    def __call__(self, kernel: Kernel, signal: str) -> int:
        """The phase."""
        memory = kernel.memory(self, signal)
        if "lanes" not in memory:
            memory["lanes"] = green_lanes(kernel, signal)
        count = near_counts(kernel, kernel.traffic_light.incoming_lanes(signal), self.reach)
        return best(kernel, signal, [sum(count.get(lane, 0) for lane in lanes) for lanes in memory["lanes"]])


@dataclass(frozen=True)
class LongestQueue:
    """The legal phase whose green lanes, each counted once, hold most vehicles slower than 0.1 m/s.

    Of equals the present one. The signal's form of the longest-queue-first rule of L. Tassiulas, A. Ephremides,
    Dynamic server allocation to parallel queues with randomly varying connectivity, IEEE Transactions on Information
    Theory 39 (1993), 466–478.
    """

    acts: ClassVar[tuple[str, ...]] = PHASES

    def __call__(self, kernel: Kernel, signal: str) -> int:
        """The phase."""
        memory, network = kernel.memory(self, signal), kernel.network
        if "lanes" not in memory:
            memory["lanes"] = green_lanes(kernel, signal)
        occupied = network.occupied(kernel.traffic_light.incoming_lanes(signal))
        queue = {lane: network.queue_length(lane) for _, lane, _ in occupied}
        return best(kernel, signal, [sum(queue.get(lane, 0) for lane in lanes) for lanes in memory["lanes"]])
