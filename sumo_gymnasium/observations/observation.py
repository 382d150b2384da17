"""What an observation is, and how one is found by its name."""

from typing import Any, Protocol

from gymnasium import spaces

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.names import resolve


class Observation(Protocol):
    """Turns the kernel's readings into what one agent sees."""

    def space(self, kernel: Kernel, agent: str, /) -> spaces.Space[Any]:
        """From the files; SUMO need not run."""

    def __call__(self, kernel: Kernel, agent: str, /) -> Any:
        """A fresh array (or dict of arrays), always inside the space, dtype included."""


# by name; signal.py and vehicle.py fill them, so that observations made of others can name these
OBSERVATIONS: dict[str, Observation] = {}
VEHICLE_OBSERVATIONS: dict[str, Observation] = {}


def observation_of(name: str | Observation) -> Observation:
    """The observation that `name` stands for: one of the tables, "package.module:object", or itself.

    Raises:
        ValueError: no such name.
        TypeError: what was found is no observation.
    """
    return resolve("observation", {**OBSERVATIONS, **VEHICLE_OBSERVATIONS}, name, needs=("space", "__call__"))


def box_of(observation: Observation, kernel: Kernel, agent: str) -> spaces.Box:
    """The observation's space, which must be a Box: only arrays can be put side by side.

    Raises:
        ValueError: it is another space.
    """
    space = observation.space(kernel, agent)
    if not isinstance(space, spaces.Box):
        raise ValueError(
            f"{observation!r} has the space {space}; expected a Box, since its values are joined to others"
        )
    return space
