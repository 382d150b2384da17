"""RLlib (its new API stack, torch): our envs by name, the agents of a PettingZoo env, their policies, and KPIs."""
# mypy: disable-error-code="misc,override,no-untyped-call,no-any-return,unused-ignore"

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Any, NamedTuple
from urllib.parse import quote

import gymnasium
import numpy as np
from pettingzoo import ParallelEnv
from ray.rllib.env.multi_agent_env import MultiAgentEnv  # type: ignore[import-not-found]
from ray.rllib.policy.policy import PolicySpec  # type: ignore[import-not-found]
from ray.tune.registry import register_env  # type: ignore[import-not-found]

from sumo_gymnasium import traffic_light_v0, traffic_v0, vehicle_v0
from sumo_gymnasium.evaluation.tables import flat
from sumo_gymnasium.names import resolve
from sumo_gymnasium.registration import IDS

PARALLEL: dict[str, Callable[..., "ParallelEnv[str, Any, Any]"]] = {
    "traffic_light_v0": traffic_light_v0.parallel_env,
    "vehicle_v0": vehicle_v0.parallel_env,
    "traffic_v0": traffic_v0.parallel_env,
}
SHARED = "shared"  # the policy of all agents
WINDOW = 20  # episodes over which RLlib averages KPIs

Step = tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


def register() -> None:
    """Tell Ray every id of ours, so that `config.environment("SumoTrafficLight-v0", env_config={…})` finds it.

    Workers of other processes and nodes find it, too. `env_config` holds the arguments of `gymnasium.make`.
    `"sumo_gymnasium:SumoTrafficLight-v0"` needs no registration.
    """
    for name in IDS:
        register_env(name, partial(_make, name))


def _make(name: str, config: Mapping[str, Any]) -> "gymnasium.Env[Any, Any]":
    return gymnasium.make(f"sumo_gymnasium:{name}", disable_env_checker=True, **config)


def parallel_env(config: Mapping[str, Any]) -> "ParallelEnv[str, Any, Any]":
    """The PettingZoo env of an `env_config`; see `AgentsEnv`.

    Raises:
        ValueError: no `env`, or one that there is not.
    """
    arguments = dict(config)
    if "env" not in arguments:
        raise ValueError(f"env_config={arguments!r} names no env; expected 'env': {' or '.join(map(repr, PARALLEL))}")
    return resolve("env", PARALLEL, arguments.pop("env"))(**arguments)


class _Told(NamedTuple):
    """What an agent is told."""

    observation: Any
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]

    @property
    def over(self) -> bool:
        return self.terminated or self.truncated


class AgentsEnv(MultiAgentEnv):
    """The agents of one of our PettingZoo envs, as RLlib takes them.

    Only agents that are due, or that end, are told anything: RLlib asks those for an action that it has told an
    observation. RLlib takes an episode for over once all agents that it knows have ended, whoever else comes: where
    others join as the last one ends, that end is told one step later.

    Args:
        config: `env` ("traffic_light_v0", "vehicle_v0", "traffic_v0", or "package.module:function") and the arguments
            of its `parallel_env`.

    Raises:
        ValueError: no `env`, or one that there is not.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        self.env = parallel_env(config)
        self.metadata = dict(self.env.metadata)
        self.render_mode = self.env.render_mode
        self.possible_agents = list(self.env.possible_agents)
        self.observation_spaces = {agent: self.env.observation_space(agent) for agent in self.possible_agents}
        self.action_spaces = {agent: self.env.action_space(agent) for agent in self.possible_agents}
        self.agents: list[Any] = []
        self._known: list[str] = []  # those that RLlib takes for alive
        self._held: dict[str, _Told] = {}  # the end of an agent that is yet to be told

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin an episode."""
        observations, infos = self.env.reset(seed=seed, options=options)
        self.agents, self._known, self._held = list(self.env.agents), list(observations), {}
        return observations, infos

    def step(self, action_dict: Mapping[str, Any]) -> Step:
        """Act, and simulate until an agent is due again. Rewards are those of the env, since an agent's last decision.

        Truncation, which comes to all at the scenario's end, is told by "__all__" alone: RLlib takes agents that are
        all done one by one for terminated, and would not bootstrap their value.
        """
        told = self._told(self.env.step(action_dict))
        self.agents = list(self.env.agents)
        over = not self.agents
        if not over:
            self._hold(told)
        self._known = [agent for agent in self._known if agent not in told and agent not in self._held]
        self._known += [agent for agent, each in told.items() if not each.over]
        self._known += list(self._held)
        ended = {agent: each.terminated for agent, each in told.items()}
        truncated = any(each.truncated for each in told.values())
        return (
            {agent: each.observation for agent, each in told.items()},
            {agent: each.reward for agent, each in told.items()},
            {**ended, "__all__": over and not truncated},
            {**dict.fromkeys(told, False), "__all__": over and truncated},
            {agent: each.info for agent, each in told.items()},
        )

    def render(self) -> Any:
        """See `ParallelAgentsEnv.render`."""
        return self.env.render()

    def close(self) -> None:
        """End the simulation."""
        self.env.close()

    def _told(self, five: Any) -> dict[str, _Told]:
        """Of the agents that are due or end, and of the one whose end was held back."""
        observations, rewards, terminations, truncations, infos = five
        told, self._held = self._held, {}
        for agent, info in infos.items():
            if info["due"]:
                outcome = (observations[agent], rewards[agent], terminations[agent], truncations[agent])
                told[agent] = _Told(*outcome, info)
        return told

    def _hold(self, told: dict[str, _Told]) -> None:
        """Hold the last end back, if all whom RLlib knows end while the episode goes on."""
        ends = [agent for agent in self._known if agent in told and told[agent].over]
        if len(ends) == len(self._known):
            self._held = {ends[-1]: told.pop(ends[-1])}


@dataclass(frozen=True)
class PolicyOf:
    """RLlib's `policy_mapping_fn`: the policy of an agent, from a table.

    Attributes:
        table: by agent.
    """

    table: Mapping[str, str]

    def __call__(self, agent: str, episode: Any = None, **others: Any) -> str:
        """The name of the policy of `agent`."""
        return self.table[agent]


def shared(env_config: Mapping[str, Any]) -> dict[str, Any]:
    """One policy, "shared", for all agents: `config.multi_agent(**shared(env_config))`.

    Raises:
        ValueError: agents have different spaces.
    """
    agents = _spaces(env_config)
    return _policies({SHARED: list(agents)}, agents)


def one_per_agent(env_config: Mapping[str, Any]) -> dict[str, Any]:
    """A policy for each agent, called as the agent is; what cannot stand in a file's name is %-quoted."""
    agents = _spaces(env_config)
    return _policies({quote(agent, safe=" "): [agent] for agent in agents}, agents)


def grouped(env_config: Mapping[str, Any], groups: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """A policy for each group of agents.

    Args:
        env_config: see `AgentsEnv`.
        groups: the agents by policy; each agent in one group.

    Raises:
        ValueError: an agent in no group or in two, one that there is not, or agents of a group with different spaces.
    """
    agents = _spaces(env_config)
    members = [agent for group in groups.values() for agent in group]
    if sorted(members) != sorted(agents):
        wrong = sorted({agent for agent in (*members, *agents) if members.count(agent) != 1 or agent not in agents})
        raise ValueError(
            f"groups={dict(groups)!r}: expected each agent once; look at {', '.join(wrong)}. There are: "
            f"{', '.join(agents)}"
        )
    return _policies(groups, agents)


def _spaces(env_config: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    env = parallel_env(env_config)  # SUMO does not start for this
    try:
        return {agent: (env.observation_space(agent), env.action_space(agent)) for agent in env.possible_agents}
    finally:
        env.close()


def _policies(groups: Mapping[str, Sequence[str]], agents: Mapping[str, tuple[Any, Any]]) -> dict[str, Any]:
    policies = {}
    for name, members in groups.items():
        first, *others = members
        for other in others:
            if agents[other] != agents[first]:
                raise ValueError(
                    f"agents {first!r} and {other!r} of policy {name!r} have different spaces; make the env with "
                    "pad=True in env_config, or give them different policies"
                )
        observation, action = agents[first]
        policies[name] = PolicySpec(observation_space=observation, action_space=action)
    table = {agent: name for name, members in groups.items() for agent in members}
    return {"policies": policies, "policy_mapping_fn": PolicyOf(table)}


def log_kpis(*, episode: Any, metrics_logger: Any, **others: Any) -> None:
    """Put the KPIs of an episode that has ended into RLlib's metrics: `config.callbacks(on_episode_end=log_kpis)`.

    They are in `result["env_runners"]["kpis"]`, named as in `evaluation`'s results ("due_delay"), each as the mean
    over the last 20 episodes.
    """
    agents = getattr(episode, "agent_episodes", {"": episode})
    last = [one.get_infos(-1) for one in agents.values() if one.is_done]
    kpis: Mapping[str, Any] = next((info["kpis"] for info in last if info and "kpis" in info), {})
    for name, value in flat(kpis).items():
        if isinstance(value, Real | np.bool_):  # of numpy, where RLlib has put envs into a vector
            metrics_logger.log_value(("kpis", name), float(value), reduce="mean", window=WINDOW)
