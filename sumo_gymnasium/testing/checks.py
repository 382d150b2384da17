"""Hooks that check what an env does in every simulation step, on any network."""

from itertools import combinations

from sumo_gymnasium.config import steps
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.testing.signal_invariants import SignalInvariants


class SignalWatch:
    """A hook that checks the invariants of signals in every simulation step: `make(..., hooks=[SignalWatch("A")])`.

    Attributes:
        signals: whose states are checked: agents, since a network's own programs may break the rules.
        steps: how many simulation steps were checked, over all episodes.
        yellows: how long each yellow of a link lasted, in simulation steps.
    """

    def __init__(self, *signals: str) -> None:
        self.signals = signals
        self.steps = 0
        self.yellows: list[int] = []
        self._invariants: dict[str, SignalInvariants] = {}
        self._since: dict[tuple[str, int], int] = {}

    def __call__(self, kernel: Kernel) -> None:
        """Check the step that was just made.

        Raises:
            AssertionError: a vehicle link went from green to red without its yellow, or foes were green at once.
        """
        if kernel.simulation.step == 1:
            self._invariants = {signal: invariants(kernel, signal) for signal in self.signals}
            self._since.clear()
        self.steps += 1
        for signal, checked in self._invariants.items():
            state = kernel.traffic_light.state(signal)
            checked.see(state)
            self._count_yellows(signal, state)

    def _count_yellows(self, signal: str, state: str) -> None:
        for link, letter in enumerate(state):
            if letter == "y":
                self._since[signal, link] = self._since.get((signal, link), 0) + 1
            elif (signal, link) in self._since:
                self.yellows.append(self._since.pop((signal, link)))


def invariants(kernel: Kernel, signal: str) -> SignalInvariants:
    """The rules for one signal: its yellow, and no foes at `G` together that its own program never shows so."""
    signals = kernel.traffic_light
    shown = (*signals.program(signal).states, *signals.phases(signal))
    together = (
        pair for state in shown for pair in combinations((i for i, letter in enumerate(state) if letter == "G"), 2)
    )
    return SignalInvariants(
        yellow_steps=steps(signals.timing_of(signal).yellow, kernel.simulation.step_length, "yellow"),
        crossings=signals.crossings(signal),
        foes=signals.foes(signal),
        allowed=frozenset(together),
    )
