"""Several agents as a PettingZoo environment."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import EzPickle, seeding
from pettingzoo import ParallelEnv

from sumo_gymnasium.controllers import Controller
from sumo_gymnasium.envs.hosted import Hosted, Setup, checked
from sumo_gymnasium.envs.life import Outcome
from sumo_gymnasium.envs.loop import SEEDS

Five = tuple[dict[str, Any], dict[str, Any], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class ParallelAgentsEnv(Hosted, ParallelEnv, EzPickle):  # type: ignore[misc]  # PettingZoo is not typed
    """All agents of a scenario act at once. A pickled or copied env is a new one, made from the same arguments.

    `step()` goes on to the next moment at which at least one agent is due (`info[agent]["due"]`); the action of an
    agent that is not due does not count, its reward is 0, and its mask leaves one action.

    Attributes:
        possible_agents: every agent that there may be, by SUMO's id.
        agents: those that are there now.
    """

    def __init__(self, setup: Setup, name: str = "sumo") -> None:
        EzPickle.__init__(self, setup, name)
        Hosted.__init__(self, setup)
        self.metadata = {**Hosted.metadata, "name": name, "is_parallelizable": True}
        self.possible_agents = list(self._spaces)
        self.observation_spaces = {agent: observation for agent, (observation, _) in self._spaces.items()}
        self.action_spaces = {agent: action for agent, (_, action) in self._spaces.items()}
        self.agents: list[str] = []
        self._due: list[str] = []
        self._ids: dict[str, str] = {}  # SUMO's, by name
        self._random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Of one agent: always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Of one agent: always the same object."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin an episode; see `SingleAgentEnv.reset`."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        outcomes = self._host.reset(int(self._random.integers(SEEDS)), options).outcomes
        observations, _, _, _, infos = self._seen(outcomes)
        return observations, infos

    def step(self, actions: Mapping[str, Any]) -> Five:
        """Act, and simulate until at least one agent is due again.

        Args:
            actions: by agent. One that is due and gives none goes on as before, and is asked again after a decision
                interval.

        Raises:
            ValueError: no such agent, or an action that is not in its space; nothing has happened.
            NotRunning: the episode is over, or none was begun.
            SimulationCrashed: SUMO ended; reset() begins anew.
        """
        for agent in actions:
            if agent not in self.action_spaces:
                raise ValueError(f"no agent {agent!r}; there are: {', '.join(self.possible_agents)}")
        given = {agent: checked(agent, action, self.action_spaces[agent]) for agent, action in actions.items()}
        return self._seen(self._host.step(given).outcomes)

    def act(self, controller: Controller) -> dict[str, Any]:
        """The actions that `controller(kernel, agent)` would take now, for the agents that are due."""
        ids = {self._ids[name]: name for name in self._due}
        return {ids[one]: action for one, action in self._asked(controller, list(ids)).items()}

    def _seen(self, outcomes: Mapping[str, Outcome]) -> Five:
        five: Any = ({agent: outcome[place] for agent, outcome in outcomes.items()} for place in range(5))
        observations, rewards, terminations, truncations, infos = five
        self._ids.update({agent: info.get("id", agent) for agent, info in infos.items()})
        self._due = [
            agent for agent, info in infos.items() if info["due"] and not (terminations[agent] or truncations[agent])
        ]
        self.agents = [agent for agent in outcomes if not (terminations[agent] or truncations[agent])]
        return observations, rewards, terminations, truncations, infos
