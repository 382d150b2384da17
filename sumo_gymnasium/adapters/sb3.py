"""Stable-Baselines3: the agents of a PettingZoo env as the slots of one VecEnv, so that one policy serves them all."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pettingzoo import ParallelEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices, VecEnvStepReturn


class AgentsVecEnv(VecEnv):
    """One slot an agent of one simulation, in the order of `possible_agents`.

    All agents must have the same spaces: make the env with `pad=True` where they differ. They live from begin to end;
    once the episode is over the env resets itself, as SB3's VecEnvs do, and `infos[slot]` then holds
    `terminal_observation`, `TimeLimit.truncated` and the `kpis` of the episode that ended.

    Raises:
        ValueError: the agents have different spaces.
    """

    def __init__(self, env: "ParallelEnv[str, Any, Any]") -> None:
        agents = env.possible_agents
        observation, action = env.observation_space(agents[0]), env.action_space(agents[0])
        for agent in agents:
            if (env.observation_space(agent), env.action_space(agent)) != (observation, action):
                raise ValueError(
                    f"agents {agents[0]!r} and {agent!r} have different spaces; make the env with pad=True"
                )
        self.env, self.agents = env, tuple(agents)
        self.render_mode = env.render_mode
        self._actions: dict[str, Any] = {}
        self._masks: dict[str, NDArray[np.int8]] = {}
        super().__init__(len(agents), observation, action)

    def reset(self) -> NDArray[Any]:
        """Begin an episode with the seed of `seed()`, if that was called since the last one."""
        observations, infos = self.env.reset(seed=self._seeds[0], options=self._options[0] or None)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [infos[agent] for agent in self.agents]
        return self._stacked(observations, infos)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Note the actions."""
        self._actions = dict(zip(self.agents, actions, strict=True))

    def step_wait(self) -> VecEnvStepReturn:
        """Take them."""
        observations, rewards, terminations, truncations, infos = self.env.step(self._actions)
        told = [infos[agent] for agent in self.agents]
        over = [terminations[agent] or truncations[agent] for agent in self.agents]
        seen = self._stacked(observations, infos)
        if all(over):
            for agent, info in zip(self.agents, told, strict=True):
                info["terminal_observation"] = observations[agent]
                info["TimeLimit.truncated"] = truncations[agent] and not terminations[agent]
            seen = self.reset()
        gained = np.array([rewards[agent] for agent in self.agents], dtype=np.float32)
        return seen, gained, np.array(over), told

    def close(self) -> None:
        """End the simulation."""
        self.env.close()

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """One picture for all."""
        return [self.env.render()]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The env's attribute, once a slot."""
        return [getattr(self.env.unwrapped, attr_name)] * len(self._slots(indices))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Of the env that all slots share."""
        setattr(self.env.unwrapped, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> list[Any]:
        """`action_masks` gives each slot's own; others are called once on the env that all slots share."""
        slots = self._slots(indices)
        if method_name == "action_masks":
            return [self._masks[self.agents[slot]] for slot in slots]
        result = getattr(self.env.unwrapped, method_name)(*args, **kwargs)
        return [result] * len(slots)

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """Gymnasium's wrappers are for one agent: none."""
        return [False] * len(self._slots(indices))

    def _slots(self, indices: VecEnvIndices) -> list[int]:
        return list(self._get_indices(indices))

    def _stacked(self, observations: dict[str, Any], infos: dict[str, dict[str, Any]]) -> NDArray[Any]:
        self._masks = {agent: info["action_mask"] for agent, info in infos.items() if "action_mask" in info}
        return np.stack([observations[agent] for agent in self.agents])
