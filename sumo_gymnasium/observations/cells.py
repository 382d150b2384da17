"""Where vehicles are on the lanes towards a signal, as a picture of cells."""

import math
from dataclasses import dataclass

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class PositionMatrix:
    """A row of cells for each incoming lane, from its end backwards: −1 if empty, else speed / limit, at most 1.

    Box(-1, 1, (m, cells)), after the discrete traffic state encoding (Genders & Razavi 2016) and PyTSC. A vehicle is
    where its front is; of several in a cell the first counts. Cells before the beginning of a lane stay empty.

    Attributes:
        range: how far a row reaches, m; longer lanes are cut, and the last cell may reach farther.
        cell: length of a cell, m; 7.5 is a car and the gap before it.
    """

    range: float = 150.0
    cell: float = 7.5

    def __post_init__(self) -> None:
        if not 0 < self.cell <= self.range < math.inf:
            raise ValueError(f"{self!r}: expected 0 < cell <= range, in m")

    @property
    def cells(self) -> int:
        """How many there are in a row."""
        return math.ceil(self.range / self.cell)

    def space(self, kernel: Kernel, signal: str) -> spaces.Box:
        """All values are −1 to 1."""
        return spaces.Box(-1.0, 1.0, (len(kernel.traffic_light.incoming_lanes(signal)), self.cells), np.float32)

    def __call__(self, kernel: Kernel, signal: str) -> NDArray[np.float32]:
        """The values now."""
        network, vehicle, cells = kernel.network, kernel.vehicle, self.cells
        lanes = kernel.traffic_light.incoming_lanes(signal)
        values = np.full((len(lanes), cells), -1.0, dtype=np.float32)
        for row, lane, vehicles in network.occupied(lanes):
            length, limit = network.length(lane), network.speed_limit(lane)
            for name in vehicles:  # the first one last
                column = max(0, int((length - vehicle.lane_position(name)) / self.cell))
                if column < cells:
                    values[row, column] = min(max(0.0, vehicle.speed(name)) / limit, 1.0)
        return values
