"""Who acts, and what acting, seeing and being rewarded means to them."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Protocol

from sumo_gymnasium.actions import Action
from sumo_gymnasium.config import time
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.observations import Observation
from sumo_gymnasium.rewards import Reward
from sumo_gymnasium.terminations import Termination


class Agents(Protocol):
    """A group of agents of one kind. Those that are there from begin to end have nothing to say but who they are."""

    def possible(self, kernel: Kernel) -> tuple[str, ...]:
        """The names of all agents that there may ever be; from the files."""
        raise NotImplementedError

    def begin(self, kernel: Kernel) -> None:
        """An episode begins."""
        return None

    def present(self, kernel: Kernel) -> Iterable[str]:
        """SUMO's ids of those that are there now; who is there for the first time gets the next name."""
        return self.possible(kernel)

    def joined(self, kernel: Kernel, sumo_id: str) -> None:
        """It is an agent from now on."""
        return None

    def gone(self, kernel: Kernel, sumo_id: str) -> str | None:
        """What has become of one that is not there any more: "arrived", "collided", …; None: it is there."""
        return None

    def left(self, kernel: Kernel, sumo_id: str) -> None:
        """It is no agent any more."""
        return None


SHOWN = 30  # ids in a message


@dataclass(frozen=True)
class Signals(Agents):
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


@dataclass(frozen=True)
class OneSignal(Agents):
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
class Vehicles(Agents):
    """Vehicles, agents from the first decision at which they are on the road until they arrive, collide or go else.

    Their names are made up and never used again in an episode; `info["id"]` gives SUMO's id.

    Attributes:
        most: how many there may be in an episode; those who come later drive as SUMO's drivers do.
        types: which vehicle types may be agents; None: all.
        pattern: which ids may be, as a shell pattern ("bus*"); None: all.
        share: part of these that are, drawn from the seed.
        warm_up: s of traffic after begin before the first may be agents; those on the road then are.
        name: what the agents' names begin with.
    """

    most: int = 1
    types: tuple[str, ...] | None = None
    pattern: str | None = None
    share: float = 1.0
    warm_up: float = 0.0
    name: str = "vehicle"

    def __post_init__(self) -> None:
        if not isinstance(self.most, int) or self.most < 1:
            raise ValueError(f"most={self.most!r}: expected how many vehicles may be agents, at least 1")
        if not 0 < self.share <= 1:
            raise ValueError(f"share={self.share!r}: expected a part of the vehicles, more than 0, at most 1")
        time("warm_up", self.warm_up)

    def possible(self, kernel: Kernel) -> tuple[str, ...]:
        """The names, in the order in which they are given."""
        return tuple(f"{self.name}_{number}" for number in range(self.most))

    def begin(self, kernel: Kernel) -> None:
        """From now on the kernel looks at vehicles in every simulation step."""
        kernel.vehicle.watching = True

    def present(self, kernel: Kernel) -> Iterable[str]:
        """The vehicles on the road that are to be agents."""
        if kernel.simulation.time < kernel.simulation.begin + self.warm_up:
            return []
        return [vehicle for vehicle in kernel.vehicle.ids if self._chosen(kernel, vehicle)]

    def joined(self, kernel: Kernel, sumo_id: str) -> None:
        """What is read of it outlives it, until it has had its last outcome."""
        kernel.vehicle.keep([sumo_id])

    def gone(self, kernel: Kernel, sumo_id: str) -> str | None:
        """One of "arrived", "collided", "teleported", "removed"; None: it is there."""
        return kernel.vehicle.gone.get(sumo_id)

    def left(self, kernel: Kernel, sumo_id: str) -> None:
        """If it is still on the road, SUMO's driver takes over."""
        kernel.vehicle.forget([sumo_id])

    def _chosen(self, kernel: Kernel, vehicle: str) -> bool:
        """Decided once, when the vehicle is first seen."""
        memory = kernel.memory(self, vehicle)
        if "chosen" not in memory:
            fits = self.types is None or kernel.vehicle.type(vehicle) in self.types
            fits = fits and (self.pattern is None or fnmatchcase(vehicle, self.pattern))
            memory["chosen"] = fits and (self.share == 1 or kernel.random(self, vehicle).random() < self.share)
        return bool(memory["chosen"])


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
