"""A few words in place of numbers: slower, idle, faster, left, right."""

from dataclasses import dataclass
from typing import Any

from gymnasium import spaces

from sumo_gymnasium.actions.lane_change import LEFT, RIGHT, has_lane, mask_of
from sumo_gymnasium.actions.motion import check_speeds
from sumo_gymnasium.kernels.kernel import Kernel

SLOWER, IDLE, FASTER, TO_LEFT, TO_RIGHT = range(5)


@dataclass(frozen=True)
class Maneuver:
    """Slower (0), idle (1), faster (2), change to the left (3) or to the right (4): Discrete(5).

    After HighwayEnv's meta-actions. Slower and faster move the speed that the vehicle is to drive at by `change`, never
    out of the bounds; at its first decision that is its own speed. An action that is not possible is idle.

    Attributes:
        change: m/s.
        lowest: m/s.
        highest: m/s.
    """

    change: float = 5.0
    lowest: float = 0.0
    highest: float = 30.0

    def __post_init__(self) -> None:
        check_speeds(self.lowest, self.highest)
        if not self.change > 0:
            raise ValueError(f"change={self.change!r}: expected a change of speed above 0, in m/s")

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Space[Any]:
        """Five actions."""
        return spaces.Discrete(5)

    def apply(self, kernel: Kernel, vehicle: str, action: Any) -> None:
        """Set the speed, and ask for a lane."""
        change = {SLOWER: -self.change, FASTER: self.change}.get(int(action), 0.0)
        speed = min(max(self._target(kernel, vehicle) + change, self.lowest), self.highest)
        kernel.memory(self, vehicle)["speed"] = speed
        kernel.vehicle.drive(vehicle, speed)
        direction = {TO_LEFT: LEFT, TO_RIGHT: RIGHT}.get(int(action), 0)
        if direction and has_lane(kernel, vehicle, direction):
            kernel.vehicle.change_lane(vehicle, direction)

    def info(self, kernel: Kernel, vehicle: str) -> dict[str, Any]:
        """The speed that it drives at, m/s, what became of the last lane change, and what is possible (int8)."""
        target = self._target(kernel, vehicle)
        left, right = (has_lane(kernel, vehicle, direction) for direction in (LEFT, RIGHT))
        return {
            "target_speed": target,
            "lane_change": kernel.vehicle.lane_change_outcome(vehicle),
            "action_mask": mask_of([target > self.lowest, True, target < self.highest, left, right]),
        }

    def _target(self, kernel: Kernel, vehicle: str) -> float:
        own = min(max(kernel.vehicle.speed(vehicle), self.lowest), self.highest)
        found: float = kernel.memory(self, vehicle).get("speed", own)
        return found
