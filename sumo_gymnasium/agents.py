"""Who acts, and what acting, seeing and being rewarded means to them."""

from dataclasses import dataclass
from typing import Any, Protocol

from sumo_gymnasium.actions import Action
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.observations import Observation
from sumo_gymnasium.rewards import Reward
from sumo_gymnasium.terminations import Termination


class Agents(Protocol):
    """A group of agents of one kind; their ids are SUMO's."""

    def possible(self, kernel: Kernel) -> tuple[str, ...]:
        """Every agent that there may ever be; from the files."""

    def present(self, kernel: Kernel) -> tuple[str, ...]:
        """Those that are there now."""


SHOWN = 30  # ids in a message


@dataclass(frozen=True)
class Signals:
    """Signals: there from begin to end.

    Attributes:
        ids: None for all that have a phase to choose.
    """

    ids: tuple[str, ...] | None = None

    def possible(self, kernel: Kernel) -> tuple[str, ...]:
        """The signals.

        Raises:
            ScenarioError: one cannot act, or there is none.
        """
        if self.ids is None:
            return _able(kernel)
        for signal in self.ids:
            kernel.traffic_light.must_offer_phases(signal)
        return self.ids

    def present(self, kernel: Kernel) -> tuple[str, ...]:
        """The signals."""
        return self.possible(kernel)


@dataclass(frozen=True)
class OneSignal:
    """One signal.

    Attributes:
        id: None for the only one that has a phase to choose.
    """

    id: str | None = None

    def possible(self, kernel: Kernel) -> tuple[str, ...]:
        """The signal.

        Raises:
            ScenarioError: there is none, or several, or it cannot act.
        """
        if self.id is not None:
            if not isinstance(self.id, str):
                raise TypeError(f"signal={self.id!r}: expected the id of one signal, a string")
            return Signals((self.id,)).possible(kernel)
        able = _able(kernel)
        if len(able) == 1:
            return able
        listed = ", ".join(map(repr, able[:SHOWN])) + (", …" if len(able) > SHOWN else "")
        raise ScenarioError(
            f"scenario {kernel.scenario.name!r} has {len(able)} traffic lights; choose one with signal='…', the others "
            f"keep their programs. There are: {listed}"
        )

    def present(self, kernel: Kernel) -> tuple[str, ...]:
        """The signal."""
        return self.possible(kernel)


def _able(kernel: Kernel) -> tuple[str, ...]:
    """The signals that have a phase to choose."""
    signals = kernel.traffic_light
    able = tuple(signal for signal in signals.ids if signals.phases(signal))
    if not able:
        raise ScenarioError(
            f"scenario {kernel.scenario.name!r}: the network has no traffic light with a green phase to choose; "
            "expected one. netconvert's --tls.guess or --tls.set adds them"
        )
    return able


@dataclass(frozen=True)
class Role:
    """A group of agents with their action, observation, reward and terminations."""

    agents: Agents
    action: Action
    observation: Observation
    reward: Reward
    terminations: tuple[Termination, ...] = ()

    def spaces(self, kernel: Kernel, agent: str) -> tuple[Any, Any]:
        """Observation space and action space of one agent."""
        return self.observation.space(kernel, agent), self.action.space(kernel, agent)
