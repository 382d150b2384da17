"""Changing lanes, and which lanes there are to change to."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel

RIGHT, KEEP, LEFT = -1, 0, 1  # directions, as SUMO counts lanes: from the right


@dataclass(frozen=True)
class LaneChange:
    """Change to the lane to the right (0), keep the lane (1), or change to the left (2): Discrete(3).

    SUMO may refuse a change; `info["lane_change"]` says "changed", "refused" or "none".
    """

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Space[Any]:
        """Three actions."""
        return spaces.Discrete(3)

    def apply(self, kernel: Kernel, vehicle: str, action: Any) -> None:
        """Ask for it."""
        kernel.vehicle.change_lane(vehicle, int(action) - 1)

    def info(self, kernel: Kernel, vehicle: str) -> dict[str, Any]:
        """What became of the last change, and whether there is a lane on either side (action_mask, int8)."""
        mask = [has_lane(kernel, vehicle, direction) for direction in (RIGHT, KEEP, LEFT)]
        return {"lane_change": kernel.vehicle.lane_change_outcome(vehicle), "action_mask": mask_of(mask)}


def has_lane(kernel: Kernel, vehicle: str, direction: int) -> bool:
    """Whether there is a lane for vehicles on that side of its own, on the same edge."""
    lanes = kernel.network.lanes
    own = lanes[kernel.vehicle.lane(vehicle)]
    beside = kernel.network.edges[own.edge].lanes
    index = own.index + direction
    return 0 <= index < len(beside) and lanes[beside[index]].vehicles


def mask_of(possible: list[bool]) -> NDArray[np.int8]:
    """1 for each action that is possible."""
    return np.array(possible, np.int8)
