"""What the signals around one measure, added to its own."""

from dataclasses import dataclass, field

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.metrics import METRICS, Metric, name_of
from sumo_gymnasium.names import resolve


def neighbours(kernel: Kernel, signal: str, most: int) -> tuple[str, ...]:
    """The signals next to `signal` that have a program, the `most` nearest; see `NetworkKernel.neighbours`."""
    return tuple(other for other in kernel.network.neighbours(signal) if other in kernel.traffic_light.ids)[:most]


@dataclass(frozen=True)
class WithNeighbours:
    """A metric of a signal, plus `discount` times the mean of its neighbours' (Chu et al. 2019, MA2C's spatial reward).

    Attributes:
        metric: or its name.
        discount: 0 for the signal alone, 1 for neighbours that count as much as itself. MA2C adds up, here it is the
            mean, so that signals with many neighbours are not rewarded on another scale.
        most: how many neighbours count, the nearest ones. In a city without signals at most junctions there are many.
    """

    metric: str | Metric
    discount: float = 0.9
    most: int = 4
    one: Metric = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_neighbours(self.discount, self.most)
        object.__setattr__(self, "one", resolve("metric", METRICS, self.metric))

    @property
    def __name__(self) -> str:
        """What `info["metrics"]` calls it."""
        return f"{name_of(self.one)}_with_neighbours"

    def __call__(self, kernel: Kernel, signal: str) -> float:
        """The signal's own alone, if it has no neighbours."""
        own = self.one(kernel, signal)
        others = [self.one(kernel, other) for other in neighbours(kernel, signal, self.most)]
        return own + self.discount * sum(others) / len(others) if others else own


def check_neighbours(discount: float, most: int) -> None:
    """Check what says how neighbours count.

    Raises:
        ValueError: no discount from 0 to 1, or no whole number of neighbours.
    """
    if not 0 <= discount <= 1:
        raise ValueError(f"discount={discount!r}: expected a number from 0 to 1")
    if not isinstance(most, int) or most < 1:
        raise ValueError(f"most={most!r}: expected a whole number of neighbours, at least 1")
