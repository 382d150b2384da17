"""Observations of signals: the default, and the table of all."""

from dataclasses import dataclass

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.observations.cells import PositionMatrix
from sumo_gymnasium.observations.combined import Concatenate, Stack
from sumo_gymnasium.observations.detectors import Detectors
from sumo_gymnasium.observations.lanes import Drq, LaneCounts, Phase
from sumo_gymnasium.observations.movements import MovementPressure, Wave
from sumo_gymnasium.observations.neighbours import Neighbours
from sumo_gymnasium.observations.observation import OBSERVATIONS

__all__ = ["OBSERVATIONS", "PhaseAndQueues"]

MIN_GAP = 2.5  # m; SUMO's default, as sumo-rl assumes it for every vehicle


@dataclass(frozen=True)
class PhaseAndQueues:
    """Phase, whether min green is over, density and queue of each incoming lane: sumo-rl's default observation.

    Box(0, 1, float32) of n + 1 + 2 m values for n phases and m incoming lanes: the phase that shows or is being
    switched to (one-hot); 1 if it has shown for min green; for each lane the part of it that its vehicles would cover
    standing in a row; the same for those slower than 0.1 m/s. Lanes are in the order of the signal's links.
    """

    def space(self, kernel: Kernel, signal: str) -> spaces.Box:
        """All values are 0 to 1."""
        signals = kernel.traffic_light
        size = len(signals.phases(signal)) + 1 + 2 * len(signals.incoming_lanes(signal))
        return spaces.Box(0.0, 1.0, (size,), np.float32)

    def __call__(self, kernel: Kernel, signal: str) -> NDArray[np.float32]:
        """The values now."""
        signals, network = kernel.traffic_light, kernel.network
        static = signals.static(signal)
        phases, lanes = len(static.phases), static.incoming_lanes
        values = np.zeros(phases + 1 + 2 * len(lanes), dtype=np.float32)
        if phases:
            values[signals.phase(signal)] = 1.0
        values[phases] = signals.green_time(signal) >= signals.timing_of(signal).min_green
        density = phases + 1
        queue = density + len(lanes)
        for place, lane, vehicles in network.occupied(lanes):
            part = (MIN_GAP + network.vehicle_length(lane)) / network.length(lane)
            values[density + place] = min(len(vehicles) * part, 1.0)
            halting = network.queue_length(lane)
            if halting:
                values[queue + place] = min(halting * part, 1.0)
        return values


OBSERVATIONS.update(
    {
        "phase_and_queues": PhaseAndQueues(),
        "phase": Phase(),
        "lane_counts": LaneCounts(),
        "drq": Drq(),
        "drq_norm": Drq(vehicles=28.0, speed=20.0),
        "wave": Wave(),
        "movement_pressure": Concatenate(Phase(), MovementPressure()),
        "position_matrix": PositionMatrix(),
    }
)
OBSERVATIONS.update(
    {
        "neighbours": Neighbours("wave"),
        "detectors": Detectors("phase_and_queues", range=50.0, noise=0.1, missed=0.05, drop_out=0.01),
        "stacked": Stack("phase_and_queues", frames=4),
    }
)
