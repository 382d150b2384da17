"""What a vehicle sees of itself and of those around it: the vehicle ahead and behind, its sides, and all lanes."""

from dataclasses import dataclass

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.actions.lane_change import LEFT, RIGHT, has_lane
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.observations.scale import check_scale, most_lanes, seen

INF = np.inf


@dataclass(frozen=True)
class LeaderAndFollower:
    """Own speed, and of leader and follower how fast each gap grows, and the gap: 5 values, Flow's merge.

    Box: v, v_l − v, gap, v − v_f, follower's gap. Speeds by `speed`, gaps as a part of `range`; where nobody is within
    `range`, the gap reads 1 and its growth 0.

    Attributes:
        range: how far it sees, m.
        speed: m/s.
    """

    range: float = 100.0
    speed: float = 30.0

    def __post_init__(self) -> None:
        check_scale(self.range, self.speed)

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """Gaps are 0 to 1."""
        low, high = [0, -INF, 0, -INF, 0], [INF, INF, 1, INF, 1]
        return spaces.Box(np.array(low, np.float32), np.array(high, np.float32))

    def __call__(self, kernel: Kernel, vehicle: str) -> NDArray[np.float32]:
        """The values now."""
        vehicles = kernel.vehicle
        leader = seen(kernel, vehicle, vehicles.leader(vehicle), self.range, self.speed)
        follower = seen(kernel, vehicle, vehicles.follower(vehicle), self.range, self.speed)
        own = max(vehicles.speed(vehicle), 0.0) / self.speed
        return np.array([own, leader.speed, leader.gap, -follower.speed, follower.gap], np.float32)


@dataclass(frozen=True)
class Own:
    """Where it is along its way, 0 to 1, then `LeaderAndFollower`: 6 values, as Flow's envs of several agents.

    The place is `kernel.vehicle.x` over the length of the way, which on a ring is a lap.

    Attributes:
        range: how far it sees, m.
        speed: what speeds are divided by, m/s.
    """

    range: float = 100.0
    speed: float = 30.0

    def __post_init__(self) -> None:
        check_scale(self.range, self.speed)

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """The place and the gaps are 0 to 1."""
        rest = self._rest.space(kernel, vehicle)
        return spaces.Box(np.append(np.float32(0), rest.low), np.append(np.float32(1), rest.high))

    def __call__(self, kernel: Kernel, vehicle: str) -> NDArray[np.float32]:
        """The values now."""
        place = kernel.vehicle.x(vehicle) / kernel.vehicle.way_length(vehicle)
        return np.append(np.float32(min(max(place, 0.0), 1.0)), self._rest(kernel, vehicle))

    @property
    def _rest(self) -> LeaderAndFollower:
        return LeaderAndFollower(self.range, self.speed)


@dataclass(frozen=True)
class SixNeighbours:
    """Own speed, whether there is a lane to its left and right, and six neighbours: 21 values.

    Box: speed; 1 for a lane to the left; 1 for one to the right; then for leader, follower, left leader, left follower,
    right leader and right follower each 1 if it is within `range`, the gap as a part of that (else 1), and its speed
    less the own one (else 0).

    Attributes:
        range: how far it sees, m.
        speed: what speeds are divided by, m/s.
    """

    range: float = 100.0
    speed: float = 30.0

    def __post_init__(self) -> None:
        check_scale(self.range, self.speed)

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """Flags and gaps are 0 to 1."""
        low, high = [0, 0, 0, *[0, 0, -INF] * 6], [INF, 1, 1, *[1, 1, INF] * 6]
        return spaces.Box(np.array(low, np.float32), np.array(high, np.float32))

    def __call__(self, kernel: Kernel, vehicle: str) -> NDArray[np.float32]:
        """The values now."""
        vehicles = kernel.vehicle
        around = (
            vehicles.leader(vehicle),
            vehicles.follower(vehicle),
            vehicles.left_leader(vehicle),
            vehicles.left_follower(vehicle),
            vehicles.right_leader(vehicle),
            vehicles.right_follower(vehicle),
        )
        values = [max(vehicles.speed(vehicle), 0.0) / self.speed]
        values += [float(has_lane(kernel, vehicle, direction)) for direction in (LEFT, RIGHT)]
        for neighbour in around:
            values += seen(kernel, vehicle, neighbour, self.range, self.speed)
        return np.array(values, np.float32)


@dataclass(frozen=True)
class LaneNeighbours:
    """Leader and follower on every lane of its road, from the right: Box (lanes of the widest road, 8).

    A row: 1 if there is such a lane; 1 if it is the own one; then of leader and follower on it each 1 if it is within
    `range`, the gap as a part of that (else 1), and its speed less the own one (else 0).

    Attributes:
        range: how far it sees, m.
        speed: what speeds are divided by, m/s.
    """

    range: float = 100.0
    speed: float = 30.0

    def __post_init__(self) -> None:
        check_scale(self.range, self.speed)

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """Flags and gaps are 0 to 1."""
        rows = most_lanes(kernel)
        low, high = [0, 0, *[0, 0, -INF] * 2], [1, 1, *[1, 1, INF] * 2]
        return spaces.Box(np.array([low] * rows, np.float32), np.array([high] * rows, np.float32))

    def __call__(self, kernel: Kernel, vehicle: str) -> NDArray[np.float32]:
        """The values now."""
        own = kernel.vehicle.lane_index(vehicle)
        values = np.zeros((most_lanes(kernel), 8), np.float32)
        values[:, 3] = values[:, 6] = 1.0
        for lane, around in enumerate(kernel.vehicle.lane_neighbours(vehicle)):
            values[lane, :2] = 1.0, lane == own
            for place, neighbour in enumerate(around):
                found = seen(kernel, vehicle, neighbour, self.range, self.speed)
                values[lane, 2 + 3 * place : 5 + 3 * place] = found
        return values
