"""Observations made of others: several side by side, or the last few of one."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.observations.observation import Observation, box_of, observation_of


@dataclass(frozen=True, init=False)
class Concatenate:
    """Observations side by side, flat, as float32: `Concatenate("phase", "lane_counts")`.

    Attributes:
        observations: what they are, or their names.
    """

    observations: tuple[str | Observation, ...]
    parts: tuple[Observation, ...] = field(repr=False, compare=False)

    def __init__(self, *observations: str | Observation) -> None:
        if not observations:
            raise ValueError("Concatenate() has nothing to put side by side; expected observations or their names")
        object.__setattr__(self, "observations", observations)
        object.__setattr__(self, "parts", tuple(map(observation_of, observations)))

    def space(self, kernel: Kernel, agent: str) -> spaces.Box:
        """The bounds of all.

        Raises:
            ValueError: one is no Box.
        """
        boxes = [box_of(part, kernel, agent) for part in self.parts]
        return spaces.Box(_flat([box.low for box in boxes]), _flat([box.high for box in boxes]), dtype=np.float32)

    def __call__(self, kernel: Kernel, agent: str) -> NDArray[np.float32]:
        """The values now."""
        return _flat([part(kernel, agent) for part in self.parts])


@dataclass(frozen=True)
class Stack:
    """The last `frames` values of an observation, the newest last: Box(…, (frames, *shape)).

    A frame is added in every simulation step in which it is read first: once a decision, since the env reads it at the
    end of its `step()`. After a reset all are the first one.

    Attributes:
        observation: which, or its name.
        frames: how many.
    """

    observation: str | Observation
    frames: int = 4
    one: Observation = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.frames, int) or self.frames < 1:
            raise ValueError(f"frames={self.frames!r}: expected a whole number of at least 1")
        object.__setattr__(self, "one", observation_of(self.observation))

    def space(self, kernel: Kernel, agent: str) -> spaces.Box:
        """The same bounds for each frame.

        Raises:
            ValueError: the observation is no Box.
        """
        box = box_of(self.one, kernel, agent)
        low, high = np.stack([box.low] * self.frames), np.stack([box.high] * self.frames)
        return spaces.Box(low, high, dtype=low.dtype.type)

    def __call__(self, kernel: Kernel, agent: str) -> NDArray[Any]:
        """The values now, and those of the readings before."""
        memory, step = kernel.memory(self, agent), kernel.simulation.step
        if memory.get("step") != step:
            newest = self.one(kernel, agent)
            known = memory.get("frames", (newest,) * self.frames)
            memory.update(step=step, frames=(*known[1:], newest))
        return np.stack(memory["frames"])


def _flat(arrays: list[NDArray[Any]]) -> NDArray[np.float32]:
    return np.concatenate([np.asarray(array, np.float32).ravel() for array in arrays])
