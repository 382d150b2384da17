"""Who acts, and what acting, seeing and being rewarded means to them."""

from dataclasses import dataclass
from typing import Any, Protocol

from sumo_gymnasium.actions import Action
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


@dataclass(frozen=True)
class Signals:
    """Signals: there from begin to end."""

    ids: tuple[str, ...]

    def possible(self, kernel: Kernel) -> tuple[str, ...]:
        """The signals."""
        return self.ids

    def present(self, kernel: Kernel) -> tuple[str, ...]:
        """The signals."""
        return self.ids


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
