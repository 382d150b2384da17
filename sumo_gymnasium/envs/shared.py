"""Wrappers that make agents of a PettingZoo env alike, so that one policy fits all."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv
from pettingzoo.utils.wrappers import BaseParallelWrapper

from sumo_gymnasium.envs.hosted import checked

Env: TypeAlias = "ParallelEnv[str, Any, Any]"
Dicts = tuple[dict[str, Any], dict[str, dict[str, Any]]]


class Padded(BaseParallelWrapper):  # type: ignore[misc]  # PettingZoo is not typed
    """All agents get the largest observation and the largest action space among them.

    Observations are filled with zeros at the end, and `info["action_mask"]` with 0. An action that an agent does not
    have counts as its action 0, as with SuperSuit's `pad_action_space_v0`.

    Raises:
        ValueError: observations that are no flat boxes of one dtype, or actions that are not Discrete.
    """

    def __init__(self, env: Env) -> None:
        super().__init__(env)
        agents = env.possible_agents
        self._own = {agent: _discrete(agent, env.action_space(agent)) for agent in agents}
        boxes = {agent: _flat(agent, env.observation_space(agent)) for agent in agents}
        self._width = max(box.shape[0] for box in boxes.values())
        self._count = max(map(int, (space.n for space in self._own.values())))
        bounds = [np.stack([self._filled(getattr(box, bound)) for box in boxes.values()]) for bound in ("low", "high")]
        low, high = np.minimum(bounds[0].min(axis=0), 0), np.maximum(bounds[1].max(axis=0), 0)
        dtype = next(iter(boxes.values())).dtype
        discrete: spaces.Discrete[Any] = spaces.Discrete(self._count)
        box = spaces.Box(low, high, dtype=dtype)  # type: ignore[arg-type]
        self.observation_spaces = dict.fromkeys(agents, box)
        self.action_spaces = dict.fromkeys(agents, discrete)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Dicts:
        """Begin an episode."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return self._padded(observations, infos)

    def step(self, actions: Mapping[str, Any]) -> Any:
        """Act; see the class for actions that an agent does not have."""
        for agent, action in actions.items():
            if agent not in self._own:
                raise ValueError(f"no agent {agent!r}; there are: {', '.join(self._own)}")
            checked(agent, action, self.action_spaces[agent])
        own = {agent: action if action < self._own[agent].n else 0 for agent, action in actions.items()}
        observations, rewards, terminations, truncations, infos = self.env.step(own)
        observations, infos = self._padded(observations, infos)
        return observations, rewards, terminations, truncations, infos

    def _padded(self, observations: Mapping[str, Any], infos: dict[str, dict[str, Any]]) -> Dicts:
        for info in infos.values():
            if "action_mask" in info:
                mask = info["action_mask"]
                info["action_mask"] = np.pad(mask, (0, self._count - len(mask)))
        return {agent: self._filled(seen) for agent, seen in observations.items()}, infos

    def _filled(self, values: Any) -> Any:
        return np.pad(values, (0, self._width - len(values)))


class Masked(BaseParallelWrapper):  # type: ignore[misc]
    """What each agent sees is `{"observation": …, "action_mask": …}`, as masked agents of PettingZoo and RLlib have it.

    Raises:
        ValueError: actions that are not Discrete, since they have no mask.
    """

    def __init__(self, env: Env) -> None:
        super().__init__(env)
        self.observation_spaces = {agent: self._dict(env, agent) for agent in env.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """A Dict."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Dicts:
        """Begin an episode."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return _with_masks(observations, infos), infos

    def step(self, actions: Mapping[str, Any]) -> Any:
        """Act."""
        observations, *others = self.env.step(dict(actions))
        return _with_masks(observations, others[-1]), *others

    @staticmethod
    def _dict(env: Env, agent: str) -> spaces.Dict:
        mask = spaces.MultiBinary(int(_discrete(agent, env.action_space(agent)).n))
        return spaces.Dict({"observation": env.observation_space(agent), "action_mask": mask})


def _with_masks(observations: Mapping[str, Any], infos: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    for agent in observations:
        if "action_mask" not in infos[agent]:
            raise ValueError(f"the info of {agent!r} has no 'action_mask'; expected an action whose info() gives one")
    return {
        agent: {"observation": seen, "action_mask": infos[agent]["action_mask"].copy()}
        for agent, seen in observations.items()
    }


def _discrete(agent: str, space: spaces.Space[Any]) -> "spaces.Discrete[Any]":
    if not isinstance(space, spaces.Discrete) or space.start != 0:
        raise ValueError(f"the action space of {agent!r} is {space}; expected Discrete from 0")
    return space


def _flat(agent: str, space: spaces.Space[Any]) -> spaces.Box:
    if not isinstance(space, spaces.Box) or len(space.shape) != 1:
        raise ValueError(f"the observation space of {agent!r} is {space}; expected a Box of one dimension")
    return space
