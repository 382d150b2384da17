"""Observations of many vehicles at once, one row each: of all on the road, or of those of a type."""

from dataclasses import dataclass, field

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.metrics.traffic import top_speed
from sumo_gymnasium.names import unknown
from sumo_gymnasium.observations.observation import Observation, box_of, observation_of
from sumo_gymnasium.observations.scale import check_rows, most_lanes

MOST = {"speed": np.inf, "x": 1.0, "lane": 1.0}  # of each column; the least is 0


@dataclass(frozen=True)
class AllVehicles:
    """All vehicles on the road: Box (rows, 1 + columns); Flow's accel and lane-change envs.

    A row: 1 if it holds a vehicle (rows left over are 0), then the columns: "speed" over the network's highest limit,
    "x" along its way over the length of that, "lane" 0 (the rightmost) to 1 (the leftmost of the widest road). The own
    row comes first, then those ahead along the way in driving order, around a loop. Vehicles beyond `rows` are left
    out. Where vehicles have different ways, only "kinematics" says who is where.

    Attributes:
        rows: how many.
        columns: of "speed", "x" and "lane".
    """

    rows: int = 22
    columns: tuple[str, ...] = ("speed", "x")

    def __post_init__(self) -> None:
        check_rows(self.rows)
        for column in self.columns:
            if column not in MOST:
                raise ValueError(unknown("column", column, MOST))

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """From 0 upwards."""
        high = np.array([[1.0, *(MOST[column] for column in self.columns)]] * self.rows, np.float32)
        return spaces.Box(np.zeros_like(high), high)

    def __call__(self, kernel: Kernel, vehicle: str) -> NDArray[np.float32]:
        """The values now."""
        length, own = kernel.vehicle.way_length(vehicle), kernel.vehicle.x(vehicle)
        others = (each for each in kernel.vehicle.ids if each != vehicle)
        ahead = sorted(((kernel.vehicle.x(each) - own) % length, each) for each in others)
        values = np.zeros((self.rows, 1 + len(self.columns)), np.float32)
        for row, each in zip(values, [vehicle, *(each for _, each in ahead)], strict=False):  # some rows may be left
            row[:] = [1.0, *(_column(kernel, each, column) for column in self.columns)]
        return values


@dataclass(frozen=True)
class Fleet:
    """An observation of each vehicle of a type: Box (rows, 1 + its size), for a policy that drives all of them.

    A row: 1 if it holds a vehicle (rows left over are 0), then the observation. Rows are in the order of ids, and so
    the same for every agent; vehicles beyond `rows` are left out.

    Attributes:
        observation: which, or its name.
        type: the vehicle type; None for all vehicles.
        rows: how many.
    """

    observation: str | Observation
    type: str | None = "agent"
    rows: int = 5
    one: Observation = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_rows(self.rows)
        object.__setattr__(self, "one", observation_of(self.observation))

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """The bounds of the observation, widened to hold 0.

        Raises:
            ValueError: the observation is no Box.
        """
        box = box_of(self.one, kernel, vehicle)
        low, high = np.minimum(box.low.ravel(), 0.0), np.maximum(box.high.ravel(), 0.0)
        rows = [[np.append(np.float32(flag), side)] * self.rows for flag, side in ((0, low), (1, high))]
        return spaces.Box(np.array(rows[0], np.float32), np.array(rows[1], np.float32))

    def __call__(self, kernel: Kernel, vehicle: str) -> NDArray[np.float32]:
        """The values now."""
        vehicles = kernel.vehicle
        members = sorted(each for each in vehicles.ids if self.type is None or vehicles.type(each) == self.type)
        size = int(np.prod(box_of(self.one, kernel, vehicle).shape))
        values = np.zeros((self.rows, 1 + size), np.float32)
        for row, each in zip(values, members, strict=False):  # some rows may be left
            row[0], row[1:] = 1.0, self.one(kernel, each).ravel()
        return values


def _column(kernel: Kernel, vehicle: str, column: str) -> float:
    vehicles = kernel.vehicle
    if column == "speed":
        return max(vehicles.speed(vehicle), 0.0) / top_speed(kernel)
    if column == "x":
        return min(max(vehicles.x(vehicle) / vehicles.way_length(vehicle), 0.0), 1.0)
    return vehicles.lane_index(vehicle) / max(most_lanes(kernel) - 1, 1)
