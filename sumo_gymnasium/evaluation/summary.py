"""Mean, median and confidence interval of a few numbers, one an episode."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median, stdev

LEVEL = 0.95  # of the confidence interval


@dataclass(frozen=True)
class Summary:
    """What a measure was over the episodes.

    Attributes:
        count: how many numbers there are.
        mean: their mean. A few gridlocks pull it far off: look at the median as well.
        median: their median.
        interval: lower and upper bound of Student's 95 % confidence interval of the mean; None for a single number.
    """

    count: int
    mean: float
    median: float
    interval: tuple[float, float] | None

    @classmethod
    def of(cls, values: Sequence[float]) -> "Summary | None":
        """The summary of `values`; None if there are none."""
        if not values:
            return None
        return cls(len(values), mean(values), median(values), confidence_interval(values))


def confidence_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Student's (1908) interval, mean ± t·s/√n with n − 1 degrees of freedom; None for less than two numbers."""
    if len(values) < 2:
        return None
    half = student_t(len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return mean(values) - half, mean(values) + half


def student_t(freedom: int, level: float = LEVEL) -> float:
    """The t that |T| stays below with probability `level`, for Student's T with `freedom` degrees of freedom.

    Raises:
        ValueError: less than one degree of freedom.
    """
    if freedom < 1:
        raise ValueError(f"freedom={freedom}: expected at least 1, i.e. two numbers")
    low, high = 0.0, math.pi / 2  # of θ = arctan(t/√ν); halved until there is nothing between them
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if _probability(middle, freedom) < level else (low, middle)
    return math.tan(low) * math.sqrt(freedom)


def _probability(theta: float, freedom: int) -> float:
    """P(|T| < √ν·tan θ), exact for whole ν (Abramowitz & Stegun 1964, 26.7.3 and 26.7.4)."""
    odd = freedom % 2
    term = math.cos(theta) if odd else 1.0
    total = 0.0 if freedom == 1 else term
    for place in range(2 + odd, freedom - 1, 2):
        term *= math.cos(theta) ** 2 * (place - 1) / place
        total += term
    return 2 / math.pi * (theta + math.sin(theta) * total) if odd else math.sin(theta) * total
