"""One policy on one env: what it is played with, and its episodes."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from sumo_gymnasium.errors import SimulationCrashed
from sumo_gymnasium.evaluation.policies import Policy, due, name_of, player_of, policy_of
from sumo_gymnasium.evaluation.result import EpisodeResult, Input, Result
from sumo_gymnasium.evaluation.stages import Moment, Stage, arguments_of, episode_of, is_made, stage_of
from sumo_gymnasium.scenarios.scenario import Scenario


def evaluate(
    policy: Policy, env_or_scenario: Any, seeds: Iterable[int], *, name: str | None = None, **env_kwargs: Any
) -> Result:
    """An episode a seed, one after the other.

    An episode in which SUMO crashes is kept with its `error`; what the policy itself raises comes through.

    Args:
        policy: the name of a controller, a controller `(kernel, agent) -> action`, a function `(observation) ->
            action`, or a model with `predict(observation, deterministic=True)`. Several agents share it. A controller
            that has an attribute `action` is played with that action, whatever `env_kwargs` say; one that has `acts`,
            names of actions, is refused with `action=` another name.
        env_or_scenario: an env (it stays open), its id, a function without arguments that makes one, or whatever
            `scenario_of` takes. All signals of a scenario act, or those of `signals=`, or the one of `signal=`.
        seeds: what `reset` is given.
        name: of the policy in the result.
        env_kwargs: arguments of the env, if it is yet to be made.

    Raises:
        TypeError, ValueError, ScenarioError: an argument that cannot be.
    """
    trial = Trial.of(policy, env_or_scenario, env_kwargs, name)
    wanted = seeds_of(seeds)
    with trial.stage() as stage:
        episodes = tuple(play(stage, trial.policy, seed) for seed in wanted)
        return replace(trial.described(stage), episodes=episodes)


@dataclass(frozen=True)
class Trial:
    """A policy and what it is played on. It can be sent to other processes by cloudpickle.

    Attributes:
        name: of the policy.
        policy: a controller, a function or a model.
        given: an env, its id, what makes one, or a scenario.
        settings: arguments of the env.
    """

    name: str
    policy: Any
    given: Any
    settings: Mapping[str, Any]

    @classmethod
    def of(cls, policy: Policy, given: Any, settings: Mapping[str, Any], name: str | None = None) -> "Trial":
        """The policy as it acts, and the settings with the action that it needs.

        Raises:
            ValueError: no controller of this name, or one that acts otherwise than `settings` say.
            TypeError: the policy cannot act.
        """
        found = policy_of(policy)
        action = None if hasattr(found, "predict") else getattr(found, "action", None)
        if action is None:
            _check_acts(found, name or name_of(policy), settings.get("action"))
        settings = dict(settings) if action is None or is_made(given) else {**settings, "action": action}
        return cls(name or name_of(policy), found, given, settings)

    @contextmanager
    def stage(self) -> Iterator[Stage]:
        """The env, closed in the end unless it was there before."""
        stage = stage_of(self.given, self.settings)
        try:
            yield stage
        finally:
            if stage.env is not self.given:
                stage.env.close()

    def described(self, stage: Stage) -> Result:
        """A result without episodes yet: who plays, and on what."""
        env = stage.env.unwrapped
        scenario: Scenario = env.scenario
        variation = {} if scenario.variation is None else {"variation": scenario.variation}
        times = {"begin": scenario.begin, "end": scenario.last, "scale": scenario.scale}
        return Result(
            policy=self.name,
            scenario=scenario.name,
            settings=plain(
                {**asdict(env.config), **times, **variation, **arguments_of(self.given, stage), **self.settings}
            ),
            inputs=inputs_of(scenario),
            sumo_version=version("eclipse-sumo"),
            package_version=version("sumo-gymnasium"),
        )


def play(stage: Stage, policy: Any, seed: int) -> EpisodeResult:
    """One episode, from reset to end. If SUMO crashes, that is what is told of it."""
    try:
        return _played(stage, policy, seed)
    except SimulationCrashed as crash:
        return EpisodeResult(seed=seed, error=f"{type(crash).__name__}: {crash}")


def seeds_of(given: Iterable[int]) -> tuple[int, ...]:
    """The seeds.

    Raises:
        TypeError: no whole numbers.
        ValueError: none, or one twice.
    """
    try:
        seeds = tuple(map(index, given))
    except TypeError as error:
        raise TypeError(f"seeds={given!r}: expected whole numbers, e.g. range(5) ({error})") from error
    if not seeds or len(set(seeds)) < len(seeds) or min(seeds) < 0:
        raise ValueError(f"seeds={list(seeds)}: expected at least one seed, none below 0, and each once")
    return seeds


def inputs_of(scenario: Scenario) -> tuple[Input, ...]:
    """The files of a scenario with their SHA-256."""
    files = [("net", scenario.net_file)]
    files += [("route", file) for file in scenario.route_files]
    files += [("additional", file) for file in scenario.additional_files]
    files += [] if scenario.sumocfg is None else [("sumocfg", scenario.sumocfg)]
    return tuple(Input(kind, file, hashlib.sha256(Path(file).read_bytes()).hexdigest()) for kind, file in files)


def plain(value: Any) -> Any:
    """`value` as JSON can say it; objects by their repr, functions by their name."""
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Path):
        return str(value)
    name = getattr(value, "__qualname__", None)
    return repr(value) if name is None else f"{value.__module__}:{name}"


def _check_acts(policy: Any, name: str, action: Any) -> None:
    acts: tuple[str, ...] | None = getattr(policy, "acts", None)
    if acts and isinstance(action, str) and action not in acts:
        raise ValueError(
            f"controller {name!r} cannot act in an env with action={action!r}; expected "
            f"{' or '.join(map(repr, acts))}, or another controller"
        )


def _played(stage: Stage, policy: Any, seed: int) -> EpisodeResult:
    player, tally = player_of(policy), _Tally()
    moment = stage.reset(seed)
    while not moment.over:
        moment = stage.step(player(stage, moment.observations, moment.infos))
        tally.add(moment)
    episode = episode_of(stage, moment.infos)
    return EpisodeResult(
        seed=seed,
        sumo_seed=episode.seed,
        kpis=episode.kpis,
        reward=np.asarray(tally.reward).tolist(),
        decisions=tally.decisions,
        metrics={name: total / tally.counts[name] for name, total in tally.totals.items()},
    )


class _Tally:
    """Adds up what is seen of an episode, decision by decision."""

    def __init__(self) -> None:
        self.decisions = 0
        self.reward: Any = 0.0
        self.totals: dict[str, float] = defaultdict(float)
        self.counts: dict[str, int] = defaultdict(int)

    def add(self, moment: Moment) -> None:
        """One decision of all agents; the metrics of those that were not due are old ones."""
        self.decisions += 1
        self.reward = self.reward + sum(np.asarray(reward, dtype=float) for reward in moment.rewards.values())
        for info in moment.infos.values():
            signals = info.get("agents", {"": info})  # a central agent has several
            for agent in due(signals):
                self._measure(signals[agent].get("metrics", {}))

    def _measure(self, metrics: Mapping[str, float]) -> None:
        for name, value in metrics.items():
            self.totals[name] += float(value)
            self.counts[name] += 1
