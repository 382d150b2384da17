"""Numbers that are fixed, or drawn from a range in each episode."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from sumo_gymnasium.errors import ScenarioError

Range = float | tuple[float, float]


def number(name: str, given: Any, *, least: float = 0.0, most: float = math.inf) -> float:
    """`given` as a finite float from `least` to `most`.

    Raises:
        ScenarioError: it is something else.
    """
    is_number = isinstance(given, int | float | np.integer | np.floating) and not isinstance(given, bool)
    if not is_number or not math.isfinite(given) or not least <= given <= most:
        limits = f"at least {least:g}" if most == math.inf else f"{least:g} to {most:g}"
        raise ScenarioError(f"{name}={given!r}: expected a number, {limits}")
    return float(given)


def whole(name: str, given: Any, *, least: int, most: int) -> int:
    """`given` as an int from `least` to `most`.

    Raises:
        ScenarioError: it is something else.
    """
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or not least <= given <= most:
        raise ScenarioError(f"{name}={given!r}: expected a whole number, {least} to {most}")
    return int(given)


def bounds(name: str, given: Any, *, least: float = 0.0, most: float = math.inf) -> Range:
    """A number, or a range (low, high) to draw from.

    Raises:
        ScenarioError: it is neither.
    """
    if not isinstance(given, Sequence) or isinstance(given, str):
        return number(name, given, least=least, most=most)
    if len(given) != 2 or number(name, given[0], least=least, most=most) > number(
        name, given[1], least=least, most=most
    ):
        raise ScenarioError(f"{name}={given!r}: expected a number, or (low, high) to draw from")
    return float(given[0]), float(given[1])


def draw(given: Range, random: np.random.Generator) -> float:
    """A value in the range; as much chance is used up as for a fixed number."""
    low, high = given if isinstance(given, tuple) else (given, given)
    return float(low + (high - low) * random.random())
