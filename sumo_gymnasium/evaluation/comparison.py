"""Several policies on the same seeds, an episode a job, in parallel processes."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

from sumo_gymnasium import plots
from sumo_gymnasium.evaluation.jobs import run
from sumo_gymnasium.evaluation.policies import Policy, name_of
from sumo_gymnasium.evaluation.result import MEASURES, Result
from sumo_gymnasium.evaluation.stages import is_made
from sumo_gymnasium.evaluation.tables import aligned, csv_of
from sumo_gymnasium.evaluation.trial import Trial, seeds_of

HEAD = ("measure", "policy", "mean", "median", "95 % CI", "episodes", "gridlocks", "crashed")
LEFT = 2  # columns of words


@dataclass(frozen=True)
class Comparison:
    """Results of several policies on the same seeds.

    Attributes:
        results: one a policy.
    """

    results: tuple[Result, ...]

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __getitem__(self, policy: str) -> Result:
        for result in self.results:
            if result.policy == policy:
                return result
        raise KeyError(f"no policy {policy!r}. There are: {', '.join(result.policy for result in self.results)}")

    @property
    def crashed(self) -> int:
        """How many episodes did not end as they should."""
        return sum(len(result.crashed) for result in self.results)

    def table(self, measures: Mapping[str, str] = MEASURES) -> str:
        """For each measure (a column of `rows()`: what it is called) a line a policy, and below it what crashed."""
        lines = [_line(result, column, label) for column, label in measures.items() for result in self.results]
        crashes = [
            f"{result.policy}, seed {episode.seed}: {episode.error}"
            for result in self.results
            for episode in result.crashed
        ]
        return "\n".join([aligned([HEAD, *lines], LEFT), *crashes])

    def rows(self) -> list[dict[str, Any]]:
        """A flat dict an episode: `pandas.DataFrame(comparison.rows())`."""
        return [row for result in self.results for row in result.rows()]

    def to_json(self) -> str:
        """Everything, so that `from_json` gives it back."""
        return json.dumps({"results": [result.as_dict() for result in self.results]}, indent=1, allow_nan=False)

    def to_csv(self) -> str:
        """A line of column names, then a line each of `rows()`."""
        return csv_of(self.rows())

    @classmethod
    def from_json(cls, text: str) -> "Comparison":
        """What `to_json` was made from.

        Raises:
            ValueError: `text` is no such JSON.
        """
        given = json.loads(text)
        if not isinstance(given, dict) or set(given) != {"results"}:
            raise ValueError("no comparison; expected what Comparison.to_json() writes")
        return cls(tuple(map(Result.from_dict, given["results"])))

    def plot(self, path: str | PathLike[str], measures: Mapping[str, str] = MEASURES) -> None:
        """Draw a box plot, a panel each measure; the format follows from the name of `path`.

        Raises:
            DependencyNotInstalled: matplotlib is missing.
            ValueError: every episode crashed.
        """
        panels = {
            label: {result.policy: result.values(column) for result in self.results}
            for column, label in measures.items()
        }
        plots.box_plot(panels, path)


def compare(
    policies: Sequence[Policy] | Mapping[str, Policy],
    env_or_scenario: Any,
    seeds: Iterable[int],
    *,
    processes: int | None = None,
    progress: bool = True,
    **env_kwargs: Any,
) -> Comparison:
    """Play an episode for each policy and seed, several at a time.

    An episode that fails, be it SUMO or the policy, is kept with its `error`; the others go on. A script that calls
    this needs `if __name__ == "__main__":`, since the processes are spawned.

    Args:
        policies: see `evaluate`; or by the name that they have in results.
        env_or_scenario: see `evaluate`.
        seeds: see `evaluate`.
        processes: how many; 1: one after the other; None: one a core.
        progress: tell on stderr how far it is.
        env_kwargs: see `evaluate`. Unless `host` says otherwise, each simulation has a process of its own, so that a
            crash of SUMO costs one episode.

    Raises:
        TypeError, ValueError, ScenarioError: an argument that cannot be; before anything is simulated.
    """
    named = _named(policies)
    wanted = seeds_of(seeds)
    settings = env_kwargs if is_made(env_or_scenario) else {"host": "worker", **env_kwargs}
    trials = [Trial.of(policy, env_or_scenario, settings, name) for name, policy in named.items()]
    results = [_described(trial) for trial in trials]
    jobs = [(trial, seed) for trial in trials for seed in wanted]
    episodes = iter(run(jobs, _processes(processes, len(jobs)), progress))
    return Comparison(tuple(replace(result, episodes=tuple(next(episodes) for _ in wanted)) for result in results))


def _named(policies: Sequence[Policy] | Mapping[str, Policy]) -> dict[str, Policy]:
    if isinstance(policies, str) or not isinstance(policies, Sequence | Mapping) or not policies:
        raise TypeError(f"policies={policies!r}: expected a list of policies, or a dict of them by name")
    if isinstance(policies, Mapping):
        return dict(policies)
    named = {name_of(policy): policy for policy in policies}
    if len(named) < len(policies):
        names = [name_of(policy) for policy in policies]
        raise ValueError(f"policies {names}: expected different names; give a dict {{name: policy}}")
    return named


def _processes(given: int | None, jobs: int) -> int:
    if given is None:
        return min(os.cpu_count() or 1, jobs)
    if not isinstance(given, int) or given < 1:
        raise ValueError(f"processes={given!r}: expected a whole number, at least 1, or None")
    return min(given, jobs)


def _described(trial: Trial) -> Result:
    with trial.stage() as stage:
        return trial.described(stage)


def _line(result: Result, column: str, label: str) -> tuple[str, ...]:
    found = result.summary(column)
    numbers = ("–", "–", "–")
    if found is not None:
        interval = "–" if found.interval is None else f"{found.interval[0]:.2f} … {found.interval[1]:.2f}"
        numbers = (f"{found.mean:.2f}", f"{found.median:.2f}", interval)
    counts = (len(result.episodes), result.gridlocks, len(result.crashed))
    return (label, result.policy, *numbers, *map(str, counts))
