"""One agent as a Gymnasium environment."""

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import EzPickle
from numpy.typing import NDArray

from sumo_gymnasium.agents import Role
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.envs.host import Host
from sumo_gymnasium.envs.loop import SEEDS, DecisionLoop, Episode, Hook, Outcome
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.renderers.drawing import Drawing, Frame, drawing_of
from sumo_gymnasium.scenarios.scenario import Scenario


class SingleAgentEnv(gymnasium.Env[Any, Any], EzPickle):
    """One agent in a scenario. A pickled or copied env is a new one, made from the same arguments: reset it first.

    Attributes:
        agent: SUMO's id of the agent.
        scenario: what is simulated.
        config: how.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(
        self,
        role: Role,
        scenario: Scenario,
        config: SumoConfig,
        hooks: Sequence[Hook] = (),
        render_mode: str | None = None,
        drawing: Drawing | None = None,
    ) -> None:
        EzPickle.__init__(self, role, scenario, config, hooks, render_mode, drawing)
        self.render_mode = render_mode
        loop = DecisionLoop(scenario, config, [role], hooks, drawing_of(render_mode, drawing))
        self._host = Host(loop, config)
        (self.agent,) = loop.agents
        self.scenario, self.config = loop.kernel.scenario, config
        self.observation_space, self.action_space = role.spaces(loop.kernel, self.agent)
        self._mask: NDArray[np.int8] | None = None

    @property
    def last_episode(self) -> Episode | None:
        """KPIs of the last episode that ended, also if it was cut short."""
        return self._host.last_episode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode. All that is random in it follows from `seed`, or from the seed of an earlier reset.

        Raises:
            ScenarioError: SUMO does not accept its input.
        """
        super().reset(seed=seed)
        reply = self._host.reset(int(self.np_random.integers(SEEDS)))
        outcome = self._seen(reply.outcomes[self.agent])
        return outcome.observation, outcome.info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Act, and simulate one decision interval.

        Raises:
            ValueError: `action` is not in the action space; nothing has happened.
            NotRunning: the episode is over, or none was begun.
            SimulationCrashed: SUMO ended; reset() begins anew.
        """
        action = self._checked(action)
        return self._seen(self._host.step({self.agent: action}).outcomes[self.agent])

    def render(self) -> Frame | None:  # type: ignore[override]
        """An RGB array (height, width, 3) of what is there now; once the episode is over, of its end.

        Raises:
            NotRunning: no episode was begun.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without render_mode='rgb_array' or 'human' in make()")
            return None
        return self._host.render()

    def close(self) -> None:
        """End the simulation. An episode that runs is cut short; its KPIs are in `last_episode`."""
        self._host.close()

    def query(self, function: Callable[..., Any], *args: Any) -> Any:
        """`function(kernel, *args)`, run where the simulation lives.

        Raises:
            NotRunning: no episode is running.
        """
        return self._host.query(function, *args)

    def act(self, controller: Callable[[Kernel, str], Any]) -> Any:
        """The action that `controller(kernel, agent)` would take now."""
        return self._host.query(controller, self.agent)

    def action_masks(self) -> NDArray[np.int8] | None:
        """1 for each action that would be carried out at once, as sb3-contrib's MaskablePPO asks for it."""
        return self._mask

    def _seen(self, outcome: Outcome) -> Outcome:
        self._mask = outcome.info.get("action_mask")
        return outcome

    def _checked(self, action: Any) -> Any:
        if isinstance(action, np.ndarray) and action.shape == () and np.issubdtype(action.dtype, np.integer):
            action = action[()]  # SB3's predict() gives arrays without dimensions
        if not self.action_space.contains(action):
            raise ValueError(
                f"action {action!r} of {self.agent!r} is not in {self.action_space}; see info['action_mask']"
            )
        return action
