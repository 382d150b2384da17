"""An observation of a signal and of those around it."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.metrics.neighbours import check_neighbours, neighbours
from sumo_gymnasium.observations.observation import Observation, box_of, observation_of


class Slots(NamedTuple):
    """Room for the neighbours of a signal: how many fit, and how many values each has."""

    most: int
    width: int


@dataclass(frozen=True)
class Neighbours:
    """An observation of a signal, then that of each neighbour times `discount` (Chu et al. 2019, MA2C; CoLight).

    Neighbours are signals from one of which to the other a road leads past no third, the nearest first. Each has a slot
    of as many values as the largest observation of the network's signals, and there are as many slots as the signal
    with the most neighbours needs; what is not used is 0. So that part has the same size for all signals.

    Attributes:
        observation: which, or its name.
        discount: above 0, up to 1; MA2C's code takes 0.9.
        most: how many neighbours are seen, the nearest ones.
    """

    observation: str | Observation
    discount: float = 0.9
    most: int = 4
    one: Observation = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_neighbours(self.discount, self.most)
        if not self.discount:
            raise ValueError("discount=0: neighbours would be always 0; take the observation itself")
        object.__setattr__(self, "one", observation_of(self.observation))

    def space(self, kernel: Kernel, signal: str) -> spaces.Box:
        """Its own bounds, the neighbours' times the discount, 0 where there is none.

        Raises:
            ValueError: the observation is no Box.
        """
        boxes = [box_of(self.one, kernel, each) for each in (signal, *neighbours(kernel, signal, self.most))]
        low = self._joined(kernel, [box.low for box in boxes])
        return spaces.Box(low, self._joined(kernel, [box.high for box in boxes]), dtype=np.float32)

    def __call__(self, kernel: Kernel, signal: str) -> NDArray[np.float32]:
        """The values now."""
        return self._joined(
            kernel, [self.one(kernel, each) for each in (signal, *neighbours(kernel, signal, self.most))]
        )

    def slots(self, kernel: Kernel) -> Slots:
        """The same for all signals of a network."""
        memory = kernel.memory(self, "")
        if not memory:
            ids = kernel.traffic_light.ids
            most = max(len(neighbours(kernel, signal, self.most)) for signal in ids)
            shapes = (box_of(self.one, kernel, signal).shape for signal in ids)
            memory["slots"] = Slots(most, max(int(np.prod(shape)) for shape in shapes))
        slots: Slots = memory["slots"]
        return slots

    def _joined(self, kernel: Kernel, arrays: list[NDArray[np.float32]]) -> NDArray[np.float32]:
        """The first one, and the others, discounted, each in its slot."""
        own, *others = (np.asarray(array, np.float32).ravel() for array in arrays)
        most, width = self.slots(kernel)
        slots = np.zeros((most, width), np.float32)
        for slot, values in zip(slots, others, strict=False):  # some slots may stay empty
            slot[: len(values)] = values * np.float32(self.discount)
        return np.concatenate((own, slots.ravel()))
