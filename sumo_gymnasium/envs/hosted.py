"""What all envs have in common: a decision loop somewhere, and what can be asked of it."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import gymnasium
import numpy as np

from sumo_gymnasium.actions.signal import ACTIONS
from sumo_gymnasium.actions.vehicle import VEHICLE_ACTIONS
from sumo_gymnasium.agents import Role
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.controllers import Controller
from sumo_gymnasium.envs.host import Host
from sumo_gymnasium.envs.loop import DecisionLoop, Episode, Hook
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.names import resolve
from sumo_gymnasium.renderers.drawing import Drawing, drawing_of
from sumo_gymnasium.scenarios.scenario import Scenario

NAMED = {**ACTIONS, **VEHICLE_ACTIONS}


class Setup(NamedTuple):
    """What an env is made of; see `envs.traffic_light.traffic_light`."""

    roles: Sequence[Role]
    scenario: Scenario
    config: SumoConfig
    hooks: Sequence[Hook] = ()
    render_mode: str | None = None
    drawing: Drawing | None = None


class Hosted:
    """A scenario, the agents in it, and the host of their loop.

    Attributes:
        scenario: what is simulated.
        config: how.
        render_mode: one of `metadata["render_modes"]`, or None.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(self, setup: Setup) -> None:
        self.render_mode = setup.render_mode
        drawing = drawing_of(setup.render_mode, setup.drawing)
        loop = DecisionLoop(setup.scenario, setup.config, setup.roles, setup.hooks, drawing)
        self.scenario, self.config = loop.kernel.scenario, setup.config
        self._host = Host(loop, setup.config)
        self._spaces = loop.spaces
        self._actions = [role.action for role in setup.roles]

    @property
    def last_episode(self) -> Episode | None:
        """KPIs of the last episode that ended, also if it was cut short."""
        return self._host.last_episode

    def render(self) -> Any:  # Gymnasium and PettingZoo type it differently
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

    def _asked(self, controller: Controller, agents: Sequence[str]) -> dict[str, Any]:
        wanted = getattr(controller, "action", None)
        acts = getattr(controller, "acts", ()) if wanted is None else (wanted,)
        able = [resolve("action", NAMED, each, needs=("space", "apply", "info")) for each in acts]
        if acts and not all(action in able for action in self._actions):
            said = " or ".join(f"action={each!r}" for each in acts)
            raise ValueError(f"{controller!r} acts in an env with {said}, and this one has {self._actions}")
        actions: dict[str, Any] = self._host.query(_ask, controller, agents)
        return actions


def _ask(kernel: Kernel, controller: Controller, agents: Sequence[str]) -> dict[str, Any]:
    """What `controller` would do, by agent."""
    return {agent: controller(kernel, agent) for agent in agents}


def checked(agent: str, action: Any, space: gymnasium.Space[Any]) -> Any:
    """`action`, as the space has it.

    Raises:
        ValueError: it is not in the space.
    """
    if isinstance(action, np.ndarray) and action.shape == () and np.issubdtype(action.dtype, np.integer):
        action = action[()]  # SB3's predict() gives arrays without dimensions
    if not space.contains(action):
        raise ValueError(f"action {action!r} of {agent!r} is not in {space}; see info['action_mask']")
    return action
