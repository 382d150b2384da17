"""The life of one agent in the decision loop: its decisions, what they came to, and its end."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.agents import Role
from sumo_gymnasium.config import steps_up
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.metrics import Metric, name_of


class Outcome(NamedTuple):
    """Gymnasium's five values for one agent."""

    observation: Any
    reward: Any
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class Life:
    """One agent, from where it joins to its last outcome.

    Attributes:
        name: the agent's, in the dicts of an env.
        id: SUMO's.
        due: the simulation step of its next decision.
    """

    def __init__(
        self, name: str, sumo_id: str, role: Role, kernel: Kernel, interval: int, space: spaces.Space[Any]
    ) -> None:
        """`interval` is the decision interval in simulation steps, `space` that of the agent's actions."""
        self.name, self.id = name, sumo_id
        self._role, self._kernel, self._interval = role, kernel, interval
        self._duration: Callable[..., float] | None = getattr(role.action, "duration", None)
        self._metrics = tuple(dict.fromkeys(role.reward.metrics))
        self._names = tuple(map(name_of, self._metrics))
        self.due = self._decided = kernel.simulation.step
        self._space = space
        self._action: Any = getattr(space, "start", 0)
        role.agents.joined(kernel, sumo_id)
        self._before = self._measure()

    def decide(self) -> None:
        """A decision is due and none was made: be asked again after a decision interval."""
        self._decided = self._kernel.simulation.step
        self.due = self._decided + self._interval

    def act(self, action: Any) -> None:
        """Do `action`; how long it holds is its own affair, or the decision interval."""
        self.decide()
        self._action = action
        self._role.action.apply(self._kernel, self.id, action)
        if self._duration is not None:
            seconds = self._duration(self._kernel, self.id, action)
            self.due = self._decided + max(1, steps_up(seconds, self._kernel.simulation.step_length))

    @property
    def gone(self) -> str | None:
        """What has become of it, once it is not there any more."""
        return self._role.agents.gone(self._kernel, self.id)

    def first(self) -> Outcome:
        """Where it begins."""
        return self._outcome(0.0, due=True, status=None)

    def result(self) -> Outcome:
        """What became of a decision that is over; of one that still holds, a look at how things stand."""
        simulation, status = self._kernel.simulation, self.gone
        if simulation.step < self.due and not simulation.over and status is None:
            before = self._before
            return self._outcome(0.0 * self._role.reward(before, before), due=False, status=None)
        before, self._before = self._before, self._measure()
        return self._outcome(self._role.reward(before, self._before), due=True, status=status)

    def end(self) -> None:
        """It has had its last outcome."""
        self._role.agents.left(self._kernel, self.id)

    def _measure(self) -> dict[Metric, float]:
        return {metric: metric(self._kernel, self.id) for metric in self._metrics}

    def _outcome(self, reward: Any, due: bool, status: str | None) -> Outcome:
        kernel, role, simulation = self._kernel, self._role, self._kernel.simulation
        info = {
            "time": simulation.time,
            "due": due,
            "elapsed": round((simulation.step - self._decided) * simulation.step_length, 3),
            "metrics": dict(zip(self._names, self._before.values(), strict=True)),
            **role.action.info(kernel, self.id),
        }
        if self.name != self.id:
            info["id"] = self.id
        if not due and "action_mask" in info and isinstance(self._space, spaces.Discrete):
            info["action_mask"] = _only(int(self._action - self._space.start), info["action_mask"])
        if status is not None:
            info["status"] = status
        terminated = status is not None or any(ends(kernel, self.id) for ends in role.terminations)
        reward = reward if isinstance(reward, np.ndarray) else float(reward)
        return Outcome(role.observation(kernel, self.id), reward, terminated, simulation.over and not terminated, info)


def _only(place: int, mask: NDArray[np.int8]) -> NDArray[np.int8]:
    """A mask that leaves the action that still holds."""
    mask = np.zeros_like(mask)
    mask[place] = 1
    return mask
