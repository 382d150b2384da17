"""One agent as a Gymnasium environment."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import EzPickle
from numpy.typing import NDArray

from sumo_gymnasium.controllers import Controller
from sumo_gymnasium.envs.hosted import Hosted, Setup, checked
from sumo_gymnasium.envs.life import Outcome
from sumo_gymnasium.envs.loop import SEEDS


class SingleAgentEnv(Hosted, gymnasium.Env[Any, Any], EzPickle):
    """One agent in a scenario. A pickled or copied env is a new one, made from the same arguments: reset it first.

    Attributes:
        agent: SUMO's id of the agent.
        reward_space: where the reward is a vector, its space, as MO-Gymnasium has it; else None.
    """

    def __init__(self, setup: Setup) -> None:
        EzPickle.__init__(self, setup)
        Hosted.__init__(self, setup)
        ((self.agent, (self.observation_space, self.action_space)),) = self._spaces.items()
        self.reward_space: gymnasium.Space[Any] | None = getattr(setup.roles[0].reward, "space", None)
        self._mask: NDArray[np.int8] | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode. All that is random in it follows from `seed`, or from the seed of an earlier reset.

        Args:
            seed: None goes on from the last one.
            options: `{"demand_scale": 1.2}`, and what the scenario's variation understands; see `Scenario.episode`.

        Raises:
            ScenarioError: SUMO does not accept its input.
            ValueError: an option with a value that cannot be.
        """
        super().reset(seed=seed)
        reply = self._host.reset(int(self.np_random.integers(SEEDS)), options)
        outcome = self._seen(reply.outcomes[self.agent])
        return outcome.observation, outcome.info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Act, and simulate until the next decision.

        Raises:
            ValueError: `action` is not in the action space; nothing has happened.
            NotRunning: the episode is over, or none was begun.
            SimulationCrashed: SUMO ended; reset() begins anew.
        """
        action = checked(self.agent, action, self.action_space)
        return self._seen(self._host.step({self.agent: action}).outcomes[self.agent])

    def act(self, controller: Controller) -> Any:
        """The action that `controller(kernel, agent)` would take now.

        Raises:
            ValueError: the controller speaks of other actions than this env.
        """
        return self._asked(controller, [self.agent])[self.agent]

    def action_masks(self) -> NDArray[np.int8] | None:
        """1 for each action that would be carried out at once, as sb3-contrib's MaskablePPO asks for it."""
        return self._mask

    def _seen(self, outcome: Outcome) -> Outcome:
        self._mask = outcome.info.get("action_mask")
        return outcome
