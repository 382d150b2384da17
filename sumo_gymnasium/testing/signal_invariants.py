"""A watch over the states that one signal shows: no red without yellow before it, no two foes at green."""

from collections.abc import Collection

from sumo_gymnasium.signals.program import GREEN

STOP = frozenset("rs")


class SignalInvariants:
    """Call `see(state)` once for each simulation step; it raises AssertionError at the first fault.

    Attributes:
        yellow_steps: simulation steps for which a vehicle link must show `y` between green and red.
        crossings: link indices of pedestrian crossings, which need no yellow.
        foes: pairs of link indices in conflict, in either order.
        allowed: pairs of links that the network's own program shows at `G` together, in either order.
    """

    def __init__(
        self,
        yellow_steps: int,
        crossings: Collection[int] = frozenset(),
        foes: Collection[tuple[int, int]] = frozenset(),
        allowed: Collection[tuple[int, int]] = frozenset(),
    ) -> None:
        self.yellow_steps = yellow_steps
        self.crossings = frozenset(crossings)
        self.allowed = frozenset(_ordered(pair) for pair in allowed)
        self.foes = frozenset(_ordered(pair) for pair in foes)
        self._forbidden = sorted(self.foes - self.allowed)
        self._step = -1
        self._yellow: list[int | None] = []  # of each link, how long since its green ended; None: it was red before

    def see(self, state: str) -> None:
        """Check the next simulation step's state.

        Raises:
            AssertionError: a vehicle link is red too early after green, or two foes have `G` at once.
        """
        self._step += 1
        if self._step == 0:
            self._yellow = [None] * len(state)
        if len(state) != len(self._yellow):
            raise AssertionError(f"step {self._step}: {state!r} has not {len(self._yellow)} letters as the first state")
        self._see_foes(state)
        for link, letter in enumerate(state):
            if link not in self.crossings:
                self._see_link(link, letter, state)

    def _see_foes(self, state: str) -> None:
        for one, other in self._forbidden:
            if state[one] == state[other] == "G":
                raise AssertionError(f"step {self._step}: links {one} and {other} are foes, both at G in {state!r}")

    def _see_link(self, link: int, letter: str, state: str) -> None:
        shown = self._yellow[link]
        if letter in GREEN:
            self._yellow[link] = 0
        elif letter == "y" and shown is not None:
            self._yellow[link] = shown + 1
        elif letter in STOP:
            if shown is not None and shown < self.yellow_steps:
                raise AssertionError(
                    f"step {self._step}: link {link} went from green to {letter!r} after {shown} steps of yellow, "
                    f"not {self.yellow_steps}, in {state!r}"
                )
            self._yellow[link] = None


def _ordered(pair: tuple[int, int]) -> tuple[int, int]:
    one, other = sorted(pair)
    return one, other
