"""Observations of signals, movement by movement: all links from one edge to another, in order of their first link.

A lane that serves several movements counts in full for each: where its vehicles will turn is not seen.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class Wave:
    """Vehicles on the lanes of each movement, halting and approaching: Box(0, inf, (k,)) (Chu et al. 2019, MA2C)."""

    def space(self, kernel: Kernel, signal: str) -> spaces.Box:
        """One value a movement."""
        return spaces.Box(0.0, np.inf, (len(kernel.traffic_light.movements(signal)),), np.float32)

    def __call__(self, kernel: Kernel, signal: str) -> NDArray[np.float32]:
        """The values now."""
        signals = kernel.traffic_light
        occupied = kernel.network.occupied(signals.incoming_lanes(signal))
        counts = {row.lane: len(row.vehicles) for row in occupied}
        movements = signals.movements(signal)
        return np.array([_total(counts, (link.origin for link in way.links)) for way in movements], np.float32)


@dataclass(frozen=True)
class MovementPressure:
    """For each movement the queue on its lanes less the queue on the lanes it leads to: Box(-inf, inf, (k,)).

    MPLight's observation (Chen et al. 2020) without the phase, which "movement_pressure" puts before it. A queue is
    the vehicles slower than 0.1 m/s, as in RESCO.
    """

    def space(self, kernel: Kernel, signal: str) -> spaces.Box:
        """One value a movement."""
        return spaces.Box(-np.inf, np.inf, (len(kernel.traffic_light.movements(signal)),), np.float32)

    def __call__(self, kernel: Kernel, signal: str) -> NDArray[np.float32]:
        """The values now."""
        signals = kernel.traffic_light
        before = _queues(kernel, signals.incoming_lanes(signal))
        behind = _queues(kernel, signals.outgoing_lanes(signal))
        pressures = [
            _total(before, (link.origin for link in way.links)) - _total(behind, (link.target for link in way.links))
            for way in signals.movements(signal)
        ]
        return np.array(pressures, np.float32)


def _queues(kernel: Kernel, lanes: tuple[str, ...]) -> dict[str, int]:
    network = kernel.network
    return {lane: network.queue_length(lane) for _, lane, _ in network.occupied(lanes)}


def _total(counts: Mapping[str, int], lanes: Iterable[str]) -> int:
    """Over lanes, each once."""
    return sum(counts.get(lane, 0) for lane in dict.fromkeys(lanes))
