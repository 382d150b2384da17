"""The next traffic light on a vehicle's way: how far it is, what it shows, and for how long it has."""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.observations.scale import check_scale

GREEN, YELLOW, RED = 2, 3, 4  # columns
COLOUR = {"G": GREEN, "g": GREEN, "y": YELLOW, "Y": YELLOW, "r": RED, "R": RED, "u": RED, "s": RED}


class Approach(NamedTuple):
    """A signal ahead: its id, the link that the vehicle will take, and the metres to its stop line."""

    signal: str
    link: int
    distance: float


@dataclass(frozen=True)
class NextSignal:
    """The next signal on the route within `range`: 6 values; zeros, and distance 1, where there is none.

    Box(0, 1): 1 if there is one; distance to its stop line over `range`; 1 for green; 1 for yellow; 1 for red (and
    red-amber, and stop-then-go); how long its phase has shown, over `time`, at most 1. A signal that is off shows none
    of the three. When it will change is known of no signal that an agent or detectors control: so it is not shown.

    Attributes:
        range: how far it sees along its route, m.
        time: s.
    """

    range: float = 200.0
    time: float = 60.0

    def __post_init__(self) -> None:
        check_scale(self.range, self.time)

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """All values are 0 to 1."""
        return spaces.Box(0.0, 1.0, (6,), np.float32)

    def __call__(self, kernel: Kernel, vehicle: str) -> NDArray[np.float32]:
        """The values now."""
        values = np.array([0, 1, 0, 0, 0, 0], np.float32)
        found = approach(kernel, vehicle, self.range)
        if found is None:
            return values
        signals = kernel.traffic_light
        values[:2] = 1.0, found.distance / self.range
        column = COLOUR.get(signals.state(found.signal)[found.link])
        if column is not None:
            values[column] = 1.0
        values[5] = min(signals.green_time(found.signal) / self.time, 1.0)
        return values


def approach(kernel: Kernel, vehicle: str, reach: float) -> Approach | None:
    """The first signal on the route of `vehicle` within `reach` m, without the metres inside later junctions."""
    vehicles, network = kernel.vehicle, kernel.network
    lane, route, place = vehicles.lane(vehicle), vehicles.route(vehicle), vehicles.route_index(vehicle)
    distance = network.length(lane) - vehicles.lane_position(vehicle)
    if lane.startswith(":"):
        place += 1
        distance += _length(kernel, route[place]) if place < len(route) else 0.0
    for before, after in pairwise(route[place:]):
        if distance > reach:
            return None
        found = _link(kernel, before, after)
        if found is not None:
            return Approach(*found, max(distance, 0.0))
        distance += _length(kernel, after)
    return None


def _length(kernel: Kernel, edge: str) -> float:
    return kernel.network.length(kernel.network.edges[edge].lanes[0])


def _link(kernel: Kernel, before: str, after: str) -> tuple[str, int] | None:
    """The signal at the end of edge `before`, and its first link to edge `after`."""
    memory = kernel.memory(approach, "")
    if not memory:
        memory["links"] = _links(kernel)
    found: tuple[str, int] | None = memory["links"].get((before, after))
    return found


def _links(kernel: Kernel) -> dict[tuple[str, str], tuple[str, int]]:
    """By edges before and after the signal."""
    lanes, found = kernel.network.lanes, dict[tuple[str, str], tuple[str, int]]()
    for signal in kernel.traffic_light.ids:
        for link in kernel.traffic_light.links(signal):
            if not link.crossing:
                found.setdefault((lanes[link.origin].edge, lanes[link.target].edge), (signal, link.index))
    return found
