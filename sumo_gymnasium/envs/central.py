"""One Gymnasium agent for all agents of a scenario."""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from numpy.typing import NDArray

from sumo_gymnasium.controllers import Controller
from sumo_gymnasium.envs.hosted import Hosted, Setup
from sumo_gymnasium.envs.life import Outcome
from sumo_gymnasium.envs.loop import SEEDS


class CentralEnv(Hosted, gymnasium.Env[Any, Any], EzPickle):
    """One agent acts for all. Agents stand in the order of `agents`.

    Action: MultiDiscrete, or one Box where the agents' actions are boxes. Observation: the agents' observations one
    behind the other in one Box or, with `flat=False`, a Dict by agent. The reward is the sum of theirs. Where
    agents decide at different times, `step()` goes on until at least one is due; what is said for others does not count
    (`info["due"]`, and the mask leaves one action).

    Attributes:
        agents: SUMO's ids of the agents.
    """

    def __init__(self, setup: Setup, flat: bool = True) -> None:
        EzPickle.__init__(self, setup, flat)
        Hosted.__init__(self, setup)
        self.agents = tuple(self._spaces)
        self._each = spaces.Dict({agent: observation for agent, (observation, _) in self._spaces.items()})
        self._flat = flat
        self.observation_space = spaces.flatten_space(self._each) if flat else self._each
        self.action_space = _joint([action for _, action in self._spaces.values()])
        self._mask: NDArray[np.int8] | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; see `SingleAgentEnv.reset`."""
        super().reset(seed=seed)
        outcomes = self._host.reset(int(self.np_random.integers(SEEDS)), options).outcomes
        observation, _, _, _, info = self._seen(outcomes)
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Act for all, and simulate until at least one agent is due again; see `SingleAgentEnv.step`."""
        if not self.action_space.contains(action):
            raise ValueError(f"action {action!r} is not in {self.action_space}; see info['action_mask']")
        return self._seen(self._host.step(dict(zip(self.agents, self._split(action), strict=True))).outcomes)

    def act(self, controller: Controller) -> Any:
        """The joint action that `controller(kernel, agent)` would take now for each agent."""
        actions = self._asked(controller, self.agents)
        dtype = self.action_space.dtype
        return np.concatenate([np.atleast_1d(actions[agent]) for agent in self.agents]).astype(dtype)

    def action_masks(self) -> NDArray[np.int8] | None:
        """The agents' masks one behind the other, as sb3-contrib's MaskablePPO asks for MultiDiscrete."""
        return self._mask

    def _split(self, action: Any) -> Sequence[Any]:
        if isinstance(self.action_space, spaces.MultiDiscrete):
            return [int(choice) for choice in action]
        sizes = [spaces.flatdim(action) for _, action in self._spaces.values()]
        return np.split(np.asarray(action), np.cumsum(sizes)[:-1])

    def _seen(self, outcomes: Mapping[str, Outcome]) -> Outcome:
        """The agents' outcomes as one."""
        observations, rewards, terminations, truncations, infos = zip(*outcomes.values(), strict=True)
        each = dict(zip(outcomes, observations, strict=True))
        observation = spaces.flatten(self._each, each) if self._flat else each
        info = {"time": infos[0]["time"], "due": np.array([info["due"] for info in infos])}
        if all("action_mask" in info for info in infos):
            self._mask = info["action_mask"] = np.concatenate([info["action_mask"] for info in infos])
        if "kpis" in infos[0]:
            info["kpis"] = infos[0]["kpis"]
        info["rewards"] = dict(zip(outcomes, rewards, strict=True))
        info["agents"] = dict(zip(outcomes, infos, strict=True))
        return Outcome(observation, sum(rewards), all(terminations), any(truncations), info)


def _joint(parts: Sequence[gymnasium.Space[Any]]) -> gymnasium.Space[Any]:
    """The action spaces as one.

    Raises:
        ValueError: they are of different kinds.
    """
    if all(isinstance(part, spaces.Discrete) for part in parts):
        counts, starts = zip(*((part.n, part.start) for part in parts), strict=True)  # type: ignore[attr-defined]
        return spaces.MultiDiscrete(counts, start=starts)  # type: ignore[arg-type]
    if all(isinstance(part, spaces.Box) and len(part.shape) == 1 for part in parts):
        low, high = (np.concatenate([getattr(part, bound) for part in parts]) for bound in ("low", "high"))
        return spaces.Box(low, high, dtype=parts[0].dtype)  # type: ignore[arg-type]
    kinds = sorted({type(part).__name__ for part in parts})
    raise ValueError(f"action spaces of the kinds {kinds}; expected all Discrete or all Box")
