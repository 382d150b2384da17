"""Actions of vehicles that set how fast they drive: numbers in SI units."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces

from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class Acceleration:
    """Accelerate until the next decision: Box(lowest, highest, (1,), float32), in m/s²; negative is braking.

    What lies outside is taken as the nearest bound. SUMO and the safety filters may allow less: `info` says what was
    asked for, what was commanded, and what came about in the last simulation step.

    Attributes:
        lowest: m/s²; −inf for no bound.
        highest: m/s²; inf for no bound.
    """

    lowest: float = -3.0
    highest: float = 3.0

    def __post_init__(self) -> None:
        if not self.lowest < self.highest:
            raise ValueError(f"lowest={self.lowest!r}, highest={self.highest!r}: expected lowest < highest, in m/s²")

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """One number."""
        return spaces.Box(self.lowest, self.highest, (1,), np.float32)

    def apply(self, kernel: Kernel, vehicle: str, action: Any) -> None:
        """Accelerate."""
        kernel.vehicle.accelerate(vehicle, number(action, self.lowest, self.highest))

    def info(self, kernel: Kernel, vehicle: str) -> dict[str, Any]:
        """Accelerations, m/s²; None where there is none."""
        vehicles = kernel.vehicle
        return {
            "requested": vehicles.requested(vehicle),
            "applied": vehicles.applied(vehicle),
            "realised": vehicles.realised(vehicle),
        }


@dataclass(frozen=True)
class TargetSpeed:
    """Drive at a speed as soon as the vehicle's limits allow: Box(lowest, highest, (1,), float32), in m/s.

    Attributes:
        lowest: m/s.
        highest: m/s.
    """

    lowest: float = 0.0
    highest: float = 30.0

    def __post_init__(self) -> None:
        check_speeds(self.lowest, self.highest)

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """One number."""
        return spaces.Box(self.lowest, self.highest, (1,), np.float32)

    def apply(self, kernel: Kernel, vehicle: str, action: Any) -> None:
        """Set it."""
        speed = number(action, self.lowest, self.highest)
        kernel.memory(self, vehicle)["speed"] = speed
        kernel.vehicle.drive(vehicle, speed)

    def info(self, kernel: Kernel, vehicle: str) -> dict[str, Any]:
        """The speed asked for, m/s; None before the first decision."""
        return {"target_speed": kernel.memory(self, vehicle).get("speed")}


@dataclass(frozen=True)
class MaxSpeed:
    """Set the most that SUMO's own driver drives: Box(lowest, highest, (1,), float32), in m/s.

    The driver keeps its distance and obeys signals and right of way, and drives slower where it must.

    Attributes:
        lowest: m/s; above 0, or a vehicle could be made to stand for ever.
        highest: m/s.
    """

    lowest: float = 1.0
    highest: float = 30.0

    def __post_init__(self) -> None:
        check_speeds(self.lowest, self.highest)
        if self.lowest == 0:
            raise ValueError("lowest=0: SUMO takes no maximum speed of 0; expected a speed above 0, in m/s")

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """One number."""
        return spaces.Box(self.lowest, self.highest, (1,), np.float32)

    def apply(self, kernel: Kernel, vehicle: str, action: Any) -> None:
        """Set it."""
        kernel.vehicle.limit_speed(vehicle, number(action, self.lowest, self.highest))

    def info(self, kernel: Kernel, vehicle: str) -> dict[str, Any]:
        """The vehicle's maximum now, m/s."""
        return {"max_speed": kernel.vehicle.max_speed(vehicle)}


def number(action: Any, lowest: float, highest: float) -> float:
    """The one number of an action, an array or a plain number, within the bounds.

    Raises:
        ValueError: there are several, or it is NaN.
    """
    values = np.asarray(action, np.float64).reshape(-1)
    if values.size != 1 or np.isnan(values[0]):
        raise ValueError(f"action={action!r}: expected one number from {lowest:g} to {highest:g}")
    return float(min(max(values[0], lowest), highest))


def check_speeds(lowest: float, highest: float) -> None:
    """Check the bounds of a speed.

    Raises:
        ValueError: they are none.
    """
    if not 0 <= lowest < highest < np.inf:
        raise ValueError(f"lowest={lowest!r}, highest={highest!r}: expected 0 <= lowest < highest, in m/s")
