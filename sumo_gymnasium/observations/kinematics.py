"""Tables of where vehicles are and how fast they move, as HighwayEnv has them."""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.names import unknown
from sumo_gymnasium.observations.scale import check_rows, check_scale

Origin = Literal["vehicle", "network"]
WIDTH = 7


@dataclass(frozen=True)
class Kinematics:
    """The own row and those of the nearest vehicles, the nearest first: Box (rows, 7), after HighwayEnv (Leurent 2018).

    A row: 1 if it holds a vehicle (rows left over are 0); x and y of its front, by `range`; the two parts of its speed,
    by `speed`; cosine and sine of its direction, counterclockwise from east. With the origin "vehicle" the places and
    speeds of others are relative to the own ones, along the network's axes; the own row, the first, always has the
    network's origin.

    Attributes:
        rows: the own one included.
        origin: "vehicle" or "network".
        range: how far it sees, m; also what places are divided by.
        speed: m/s.
    """

    rows: int = 5
    origin: Origin = "vehicle"
    range: float = 200.0
    speed: float = 30.0

    def __post_init__(self) -> None:
        check_scale(self.range, self.speed)
        check_rows(self.rows)
        if self.origin not in get_args(Origin):
            raise ValueError(unknown("origin", str(self.origin), dict.fromkeys(get_args(Origin))))

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """Flags are 0 to 1, cosines −1 to 1, all else is unbounded."""
        return table_space(self.rows)

    def __call__(self, kernel: Kernel, vehicle: str) -> NDArray[np.float32]:
        """The values now."""
        own = moving(kernel, vehicle, self.range, self.speed)
        values = np.zeros((self.rows, WIDTH), np.float32)
        values[0] = own
        for row, name in zip(values[1:], self._near(kernel, vehicle), strict=False):  # some rows may be left
            row[:] = moving(kernel, name, self.range, self.speed)
            if self.origin == "vehicle":
                row[1:5] -= own[1:5]
        return values

    def _near(self, kernel: Kernel, vehicle: str) -> list[str]:
        """Other vehicles within the range, the nearest first, as the crow flies."""
        place, own = kernel.vehicle.position, kernel.vehicle.position(vehicle)
        others = ((math.dist(place(each), own), each) for each in kernel.vehicle.ids if each != vehicle)
        return [each for distance, each in sorted(others) if distance <= self.range]


@dataclass(frozen=True)
class GlobalState:
    """All vehicles on the road, in the order of their ids: Box (rows, 7), the same for every agent.

    Rows are `Kinematics`' with the origin "network". Vehicles beyond `rows` are left out.

    Attributes:
        rows: how many.
        range: what places are divided by, m.
        speed: m/s.
    """

    rows: int = 50
    range: float = 1000.0
    speed: float = 30.0

    def __post_init__(self) -> None:
        check_scale(self.range, self.speed)
        check_rows(self.rows)

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """See `Kinematics`."""
        return table_space(self.rows)

    def __call__(self, kernel: Kernel, vehicle: str) -> NDArray[np.float32]:
        """The values now."""
        values = np.zeros((self.rows, WIDTH), np.float32)
        for row, name in zip(values, sorted(kernel.vehicle.ids), strict=False):  # some rows may be left
            row[:] = moving(kernel, name, self.range, self.speed)
        return values


def moving(kernel: Kernel, vehicle: str, reach: float, scale: float) -> NDArray[np.float32]:
    """The row of one vehicle, with the network's origin."""
    vehicles = kernel.vehicle
    x, y = vehicles.position(vehicle)
    angle = math.radians(90.0 - vehicles.angle(vehicle))  # SUMO counts clockwise from north
    speed, cosine, sine = vehicles.speed(vehicle) / scale, math.cos(angle), math.sin(angle)
    return np.array([1.0, x / reach, y / reach, speed * cosine, speed * sine, cosine, sine], np.float32)


def table_space(rows: int) -> spaces.Box:
    """Bounds of a table."""
    inf = np.inf
    low, high = [0, -inf, -inf, -inf, -inf, -1, -1], [1, inf, inf, inf, inf, 1, 1]
    return spaces.Box(np.array([low] * rows, np.float32), np.array([high] * rows, np.float32))
