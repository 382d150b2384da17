"""Actions of vehicles: the table of all, and leaving a vehicle to SUMO."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces

from sumo_gymnasium.actions import Action
from sumo_gymnasium.actions.joined import Flat, Joined
from sumo_gymnasium.actions.lane_change import LaneChange
from sumo_gymnasium.actions.maneuvers import Maneuver
from sumo_gymnasium.actions.motion import Acceleration, MaxSpeed, TargetSpeed
from sumo_gymnasium.kernels.kernel import Kernel

__all__ = ["VEHICLE_ACTIONS", "SumoDriver"]


@dataclass(frozen=True)
class SumoDriver:
    """Leave the vehicle to SUMO's own driver: Discrete(1)."""

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Space[Any]:
        """One action."""
        return spaces.Discrete(1)

    def apply(self, kernel: Kernel, vehicle: str, action: Any) -> None:
        """Take back what was commanded before."""
        kernel.vehicle.release(vehicle)

    def info(self, kernel: Kernel, vehicle: str) -> dict[str, Any]:
        """The one action is always possible."""
        return {"action_mask": np.ones(1, np.int8)}


VEHICLE_ACTIONS: dict[str, Action] = {
    "acceleration": Acceleration(),
    "gentle_acceleration": Acceleration(lowest=-1.0, highest=1.0),
    "any_acceleration": Acceleration(lowest=-np.inf, highest=np.inf),
    "target_speed": TargetSpeed(),
    "max_speed": MaxSpeed(),
    "maneuver": Maneuver(),
    "lane_change": LaneChange(),
    "acceleration_and_lane": Joined({"acceleration": Acceleration(), "lane": LaneChange()}),
    "acceleration_and_lane_flat": Flat({"acceleration": Acceleration(), "lane": LaneChange()}),
    "sumo_driver": SumoDriver(),
}
