"""Neighbours of a vehicle that can still be read."""

from sumo_gymnasium.errors import NotOnRoad
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.neighbours import Neighbour


def still_there(kernel: Kernel, neighbour: Neighbour | None) -> Neighbour | None:
    """`neighbour`, or None where it has gone.

    What is kept of a vehicle that has gone names its neighbours of the step before; of two that crash, both can be
    gone.
    """
    if neighbour is None:
        return None
    try:
        kernel.vehicle.speed(neighbour.id)
    except NotOnRoad:
        return None
    return neighbour
