"""Hooks that lead vehicles on where their routes end, so that they never arrive: at random, or around a loop.

SUMO keeps the edges that lie behind a vehicle, so that its route grows. For thousands of laps, a rerouter in an
additional file is quicker, as the ring of this package has one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class RandomTurns:
    """On the last edge of its route a vehicle gets one edge more, any that its lane leads to, each as likely.

    `make(..., hooks=[RandomTurns("human")])`. The turns follow from the episode's seed. Where a lane leads nowhere the
    vehicle arrives.

    Attributes:
        type: the vehicle type of those that it leads; None for all.
    """

    type: str | None = None

    def __call__(self, kernel: Kernel) -> None:
        """Lead on those who need it."""
        network = kernel.network
        for vehicle, edge in _ending(kernel, self.type):
            lanes = network.next_lanes(kernel.vehicle.lane(vehicle))
            ahead = list(dict.fromkeys(network.lanes[lane].edge for lane in lanes if network.lanes[lane].vehicles))
            if ahead:
                chosen = ahead[int(kernel.random(self, vehicle).integers(len(ahead)))]
                kernel.vehicle.set_route(vehicle, (edge, chosen))


@dataclass(frozen=True)
class Loop:
    """On the last edge of its route a vehicle gets the edges of the loop after that one, once around.

    Attributes:
        edges: of the loop, in driving order, each once; whoever is elsewhere is left alone.
        type: the vehicle type of those that it leads; None for all.
    """

    edges: tuple[str, ...]
    type: str | None = None

    def __post_init__(self) -> None:
        if not self.edges or len(set(self.edges)) < len(self.edges):
            raise ValueError(f"edges={self.edges!r}: expected the edges of a loop, each once, and at least one")

    def __call__(self, kernel: Kernel) -> None:
        """Lead on those who need it."""
        for vehicle, edge in _ending(kernel, self.type):
            if edge in self.edges:
                place = self.edges.index(edge)
                kernel.vehicle.set_route(vehicle, (*self.edges[place:], *self.edges[: place + 1]))


def _ending(kernel: Kernel, kind: str | None) -> Iterator[tuple[str, str]]:
    """Vehicles of a type that are on the last edge of their routes, and that edge."""
    vehicles = kernel.vehicle
    for vehicle in vehicles.ids:
        if kind is None or vehicles.type(vehicle) == kind:
            edge, route = vehicles.edge(vehicle), vehicles.route(vehicle)
            if edge == route[-1] and vehicles.route_index(vehicle) == len(route) - 1:
                yield vehicle, edge
