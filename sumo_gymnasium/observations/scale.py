"""What observations of vehicles share: how another vehicle is seen, and the checks of what values are divided by."""

import math
from typing import NamedTuple

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.neighbours import Neighbour
from sumo_gymnasium.metrics.around import still_there


class Seen(NamedTuple):
    """Another vehicle: 1 if it is there, the gap as a part of the range, the relative speed by the scale of speeds."""

    present: float
    gap: float
    speed: float


NOBODY = Seen(0.0, 1.0, 0.0)


def seen(kernel: Kernel, vehicle: str, neighbour: Neighbour | None, reach: float, speed: float) -> Seen:
    """What `vehicle` sees of `neighbour`: nobody where that is None, has gone, or is farther away than `reach` m."""
    found = still_there(kernel, neighbour)
    if found is None or found.gap > reach:
        return NOBODY
    relative = kernel.vehicle.speed(found.id) - kernel.vehicle.speed(vehicle)
    return Seen(1.0, max(found.gap, 0.0) / reach, relative / speed)


def most_lanes(kernel: Kernel) -> int:
    """How many lanes the widest road of the network has."""
    return max(len(edge.lanes) for edge in kernel.network.edges.values() if edge.function in ("", "internal"))


def check_scale(reach: float, speed: float) -> None:
    """Check what values are divided by.

    Raises:
        ValueError: one is not above 0.
    """
    for name, value, unit in (("range", reach, "m"), ("speed", speed, "m/s")):
        if not 0 < value < math.inf:
            raise ValueError(f"{name}={value!r}: expected a finite number above 0, in {unit}")


def check_rows(rows: int) -> None:
    """Check a number of rows.

    Raises:
        ValueError: it is no whole number of at least 1.
    """
    if not isinstance(rows, int) or rows < 1:
        raise ValueError(f"rows={rows!r}: expected a whole number of vehicles, at least 1")
