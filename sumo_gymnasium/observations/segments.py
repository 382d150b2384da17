"""What is on each piece of road: Flow's bottleneck."""

from dataclasses import dataclass

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class Segments:
    """Vehicles on each segment of each lane, and their mean speed: Box (segments of all lanes, 3); Flow's bottleneck.

    Each lane of `edges` is cut into `segments` pieces of equal length; rows are in order of edges, lanes from the right
    and driving direction. A row: vehicles other than those of `type`, by `vehicles`; those of `type`, by `vehicles`;
    mean speed of all over the lane's limit, 0 where there is none. Flow divides speeds by 50 and adds the outflow.

    Attributes:
        edges: () for all roads of the network, in alphabetical order, without what is inside junctions.
        segments: pieces of a lane.
        type: the vehicle type of agents.
        vehicles: what counts are divided by.
    """

    edges: tuple[str, ...] = ()
    segments: int = 1
    type: str = "agent"
    vehicles: float = 20.0

    def __post_init__(self) -> None:
        if not isinstance(self.segments, int) or self.segments < 1:
            raise ValueError(f"segments={self.segments!r}: expected a whole number of pieces, at least 1")
        if not self.vehicles > 0:
            raise ValueError(f"vehicles={self.vehicles!r}: expected a number above 0")

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """From 0 upwards.

        Raises:
            ValueError: an edge is not in the network.
        """
        return spaces.Box(0.0, np.inf, (len(self._lanes(kernel)) * self.segments, 3), np.float32)

    def __call__(self, kernel: Kernel, vehicle: str) -> NDArray[np.float32]:
        """The values now."""
        first = {lane: place * self.segments for place, lane in enumerate(self._lanes(kernel))}
        network, vehicles = kernel.network, kernel.vehicle
        values = np.zeros((len(first) * self.segments, 3), np.float32)
        for each in vehicles.ids:
            lane = vehicles.lane(each)
            if lane in first:
                part = int(vehicles.lane_position(each) / network.length(lane) * self.segments)
                row = values[first[lane] + min(max(part, 0), self.segments - 1)]
                row[int(vehicles.type(each) == self.type)] += 1
                row[2] += max(vehicles.speed(each), 0.0) / network.speed_limit(lane)
        values[:, 2] /= np.maximum(values[:, 0] + values[:, 1], 1)
        values[:, :2] /= self.vehicles
        return values

    def _lanes(self, kernel: Kernel) -> tuple[str, ...]:
        memory = kernel.memory(self, "")
        if not memory:
            edges = kernel.network.edges
            chosen = self.edges or sorted(name for name, edge in edges.items() if edge.function == "")
            for edge in chosen:
                if edge not in edges:
                    raise ValueError(
                        f"no edge {edge!r} in the network; expected edges of it, such as {next(iter(edges))!r}"
                    )
            lanes = (lane for edge in chosen for lane in edges[edge].lanes)
            memory["lanes"] = tuple(lane for lane in lanes if kernel.network.lanes[lane].vehicles)
        found: tuple[str, ...] = memory["lanes"]
        return found
