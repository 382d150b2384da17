"""What is played on: a Gymnasium or PettingZoo env, seen as agents that act together."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import gymnasium
from gymnasium.vector import VectorEnv
from pettingzoo import AECEnv, ParallelEnv

from sumo_gymnasium import traffic_light_v0
from sumo_gymnasium.envs.loop import Episode

ONE_SIGNAL = "SumoTrafficLight-v0"
EXPECTED = "an env or its id, a function without arguments that makes one, or whatever stands for a scenario"


class Moment(NamedTuple):
    """What is seen after a reset or a step, by agent."""

    observations: Mapping[str, Any]
    infos: Mapping[str, Any]
    rewards: Mapping[str, Any]
    over: bool


class Stage(Protocol):
    """An env, whatever its interface."""

    @property
    def env(self) -> Any:
        """The env itself."""

    def reset(self, seed: int) -> Moment:
        """Begin an episode."""

    def step(self, actions: Mapping[str, Any]) -> Moment:
        """One decision."""

    def act(self, controller: Callable[..., Any]) -> Mapping[str, Any]:
        """What `controller` would do now, for each agent that is due."""


class OneAgent:
    """A Gymnasium env as a stage."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        self.env = env
        self._agent = str(getattr(env.unwrapped, "agent", "agent"))

    def reset(self, seed: int) -> Moment:
        """Begin an episode."""
        observation, info = self.env.reset(seed=seed)
        return self._moment(observation, info, {}, over=False)

    def step(self, actions: Mapping[str, Any]) -> Moment:
        """One decision."""
        observation, reward, terminated, truncated, info = self.env.step(actions[self._agent])
        return self._moment(observation, info, {self._agent: reward}, over=terminated or truncated)

    def act(self, controller: Callable[..., Any]) -> Mapping[str, Any]:
        """The only agent's action."""
        unwrapped: Any = self.env.unwrapped
        return {self._agent: unwrapped.act(controller)}

    def _moment(self, observation: Any, info: dict[str, Any], rewards: Mapping[str, Any], over: bool) -> Moment:
        """The only agent is due at every step; in the central env "due" tells it of its signals."""
        return Moment({self._agent: observation}, {self._agent: {**info, "due": True}}, rewards, over)


class ManyAgents:
    """A PettingZoo env as a stage."""

    def __init__(self, env: Any) -> None:
        self.env = env

    def reset(self, seed: int) -> Moment:
        """Begin an episode."""
        observations, infos = self.env.reset(seed=seed)
        return Moment(observations, infos, {}, over=not self.env.agents)

    def step(self, actions: Mapping[str, Any]) -> Moment:
        """One decision."""
        observations, rewards, _, _, infos = self.env.step(dict(actions))
        return Moment(observations, infos, rewards, over=not self.env.agents)

    def act(self, controller: Callable[..., Any]) -> Mapping[str, Any]:
        """The actions of the agents that are due."""
        actions: dict[str, Any] = self.env.unwrapped.act(controller)
        return actions


def stage_of(given: Any, settings: Mapping[str, Any]) -> Stage:
    """The env that `given` stands for, made with `settings` if it is yet to be made.

    All signals of a scenario act, or those of `signals=`; with `signal=` one acts, through the Gymnasium env.

    Raises:
        TypeError: no env of this package.
        ValueError: settings for an env that is made already.
        ScenarioError: nothing that can be simulated.
    """
    if isinstance(given, VectorEnv):
        raise TypeError(f"{given!r} is a vector env, whose episodes end at different times; expected {EXPECTED}")
    if is_made(given):
        if settings:
            raise ValueError(f"{', '.join(settings)}: {given!r} is made without them; give them where it is made")
        return _stage(given() if callable(given) else given)
    if isinstance(given, str) and given.rpartition(":")[2] in gymnasium.registry:
        return _stage(gymnasium.make(given, disable_env_checker=True, **settings))
    if "signal" in settings:
        return _stage(gymnasium.make(ONE_SIGNAL, disable_env_checker=True, scenario=given, **settings))
    return _stage(traffic_light_v0.parallel_env(scenario=given, **settings))


def is_made(given: Any) -> bool:
    """Whether `given` is an env, or makes one by itself: its settings are no longer ours to choose."""
    return isinstance(given, gymnasium.Env | ParallelEnv | AECEnv) or callable(given)


def arguments_of(given: Any, stage: Stage) -> dict[str, Any]:
    """What the env was made with, as far as is known: Gymnasium keeps the arguments, PettingZoo does not."""
    spec = getattr(stage.env, "spec", None)
    if spec is not None:
        return dict(spec.kwargs)
    defaults = gymnasium.spec(ONE_SIGNAL).kwargs  # PettingZoo's have the same
    return {} if is_made(given) else {name: defaults[name] for name in ("observation", "action", "reward")}


def episode_of(stage: Stage, infos: Mapping[str, Any]) -> Episode:
    """The episode that ended with these infos; one that a time limit cut short is ended for it."""
    if not any("kpis" in info for info in infos.values()):
        stage.env.close()
    episode: Episode = stage.env.unwrapped.last_episode
    return episode


def _stage(env: Any) -> Stage:
    if not hasattr(getattr(env, "unwrapped", None), "last_episode"):
        raise TypeError(f"{env!r} is no env of this package; expected {EXPECTED}")
    if isinstance(env, gymnasium.Env):
        return OneAgent(env)
    if isinstance(env, ParallelEnv):
        return ManyAgents(env)
    raise TypeError(f"{env!r} is neither a gymnasium.Env nor a pettingzoo.ParallelEnv; expected {EXPECTED}")
