"""Several actions at once: a Dict, or one flat Box for learners that take nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.actions import Action
from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class Joined:
    """Several actions at once: Dict, one entry an action. Masks are left out: no learner takes one of a Dict.

    Attributes:
        parts: by the name that it has in the Dict; applied in this order.
    """

    parts: Mapping[str, Action]

    def __post_init__(self) -> None:
        _check(self.parts)

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Dict:
        """The spaces of all."""
        return spaces.Dict({name: part.space(kernel, vehicle) for name, part in self.parts.items()})

    def apply(self, kernel: Kernel, vehicle: str, action: Any) -> None:
        """Each by itself."""
        for name, part in self.parts.items():
            part.apply(kernel, vehicle, action[name])

    def info(self, kernel: Kernel, vehicle: str) -> dict[str, Any]:
        """What all say."""
        return _info(self.parts, kernel, vehicle)


@dataclass(frozen=True)
class Flat:
    """Several actions side by side in one Box, as Flow's lane-change env has it.

    A Box keeps its numbers and bounds. A Discrete(n) becomes one number from −1 to 1: the range is cut into n equal
    parts, so that −1 is action 0 and 1 is action n − 1.

    Attributes:
        parts: by name; each a Box or a Discrete; applied in this order.
    """

    parts: Mapping[str, Action]

    def __post_init__(self) -> None:
        _check(self.parts)

    def space(self, kernel: Kernel, vehicle: str) -> spaces.Box:
        """The bounds side by side.

        Raises:
            ValueError: an action is neither Box nor Discrete.
        """
        boxes = [_box(part.space(kernel, vehicle)) for part in self.parts.values()]
        low, high = (np.concatenate([getattr(box, side).ravel() for box in boxes]) for side in ("low", "high"))
        return spaces.Box(low, high, dtype=np.float32)

    def apply(self, kernel: Kernel, vehicle: str, action: Any) -> None:
        """Each with its numbers."""
        left = np.asarray(action, np.float32).ravel()
        for part in self.parts.values():
            space = part.space(kernel, vehicle)
            size = int(np.prod(_box(space).shape))
            part.apply(kernel, vehicle, _own(space, left[:size]))
            left = left[size:]

    def info(self, kernel: Kernel, vehicle: str) -> dict[str, Any]:
        """What all say, masks left out."""
        return _info(self.parts, kernel, vehicle)


def _box(space: spaces.Space[Any]) -> spaces.Box:
    if isinstance(space, spaces.Discrete):
        return spaces.Box(-1.0, 1.0, (1,), np.float32)
    if not isinstance(space, spaces.Box):
        raise ValueError(f"an action has the space {space}; Flat expects a Box or a Discrete. Use Joined")
    return space


def _own(space: spaces.Space[Any], numbers: NDArray[np.float32]) -> Any:
    """The action in its own space."""
    if isinstance(space, spaces.Discrete):
        part, count = (float(numbers[0]) + 1.0) / 2.0, int(space.n)
        return int(space.start) + min(max(int(part * count), 0), count - 1)
    return numbers.reshape(space.shape or ())


def _info(parts: Mapping[str, Action], kernel: Kernel, vehicle: str) -> dict[str, Any]:
    told = (item for part in parts.values() for item in part.info(kernel, vehicle).items())
    return {name: value for name, value in told if name != "action_mask"}


def _check(parts: Mapping[str, Action]) -> None:
    if not parts:
        raise ValueError("parts={}: expected at least one action, by name")
