"""What became of the episodes of one policy, and what they were measured on."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from sumo_gymnasium.evaluation.summary import Summary
from sumo_gymnasium.evaluation.tables import csv_of, flat

MEASURES: Mapping[str, str] = {  # column of `Result.rows()`: what it is
    "due_delay": "delay, s a vehicle due",
    "inserted_travel_time": "travel time, s a vehicle inserted",
    "inserted_waiting_time": "waiting time, s a vehicle inserted",
    "throughput": "throughput, veh/h",
    "inserted_stops": "stops a vehicle inserted",
}


class Input(NamedTuple):
    """A file that the episodes were simulated from. `kind` is "net", "route", "additional" or "sumocfg"."""

    kind: str
    file: str
    sha256: str


@dataclass(frozen=True, kw_only=True)
class EpisodeResult:
    """What became of one episode.

    Attributes:
        seed: what `reset` was given.
        sumo_seed: what SUMO was given, which follows from `seed`; None if the episode did not end.
        kpis: as in the last `info`; empty if the episode did not end.
        reward: the undiscounted sum over decisions and agents; a list if rewards are vectors.
        decisions: how often `step` was called.
        metrics: those that the reward is made of, each as its mean over decisions and agents.
        error: why the episode did not end as it should; None if it did.
    """

    seed: int
    sumo_seed: int | None = None
    kpis: Mapping[str, Any] = field(default_factory=dict)
    reward: float | list[float] = 0.0
    decisions: int = 0
    metrics: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None

    def row(self) -> dict[str, Any]:
        """Flat: `kpis["due"]["delay"]` is `due_delay`, and `metrics["queue_length"]` is `mean_queue_length`."""
        head = {"seed": self.seed, "sumo_seed": self.sumo_seed, "error": self.error}
        if self.error is not None:
            return head
        totals = flat({"reward": self.reward, "decisions": self.decisions})
        return {**head, **totals, **flat(self.kpis), **flat({"mean": self.metrics})}


@dataclass(frozen=True, kw_only=True)
class Result:
    """The episodes of one policy.

    Attributes:
        policy: its name.
        scenario: its name.
        settings: the fields of `SumoConfig` and the arguments of the env; what JSON cannot say is put in words.
        inputs: the files. Those that a scenario makes anew for each episode follow from `settings` and the seed.
        sumo_version: of SUMO.
        package_version: of this package.
        episodes: in the order of the seeds, also those that crashed.
    """

    policy: str
    scenario: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()
    sumo_version: str
    package_version: str
    episodes: tuple[EpisodeResult, ...] = ()

    @property
    def seeds(self) -> tuple[int, ...]:
        """What `reset` was given."""
        return tuple(episode.seed for episode in self.episodes)

    @property
    def crashed(self) -> tuple[EpisodeResult, ...]:
        """The episodes that did not end as they should; they count in no summary."""
        return tuple(episode for episode in self.episodes if episode.error is not None)

    @property
    def gridlocks(self) -> int:
        """In how many episodes traffic had come to a halt; see `recording.kpis.Kpis.gridlock`."""
        return sum(bool(episode.kpis.get("gridlock")) for episode in self.episodes)

    def values(self, measure: str) -> tuple[float, ...]:
        """One number an episode that ended; `measure` is a column of `rows()`.

        Raises:
            ValueError: there is no such column.
        """
        rows = [episode.row() for episode in self.episodes if episode.error is None]
        if any(measure not in row for row in rows):
            raise ValueError(f"no measure {measure!r}. There are: {', '.join(rows[0])}")
        return tuple(float(row[measure]) for row in rows)

    def summary(self, measure: str) -> Summary | None:
        """Mean, median and confidence interval of `values(measure)`; None if no episode ended."""
        return Summary.of(self.values(measure))

    def rows(self) -> list[dict[str, Any]]:
        """A flat dict an episode, with all that tells results apart: `pandas.DataFrame(result.rows())`."""
        head = {"policy": self.policy, "scenario": self.scenario}
        tail = {"sumo_version": self.sumo_version, "package_version": self.package_version, **self._digests()}
        return [{**head, **episode.row(), **tail} for episode in self.episodes]

    def to_json(self) -> str:
        """Everything, so that `from_json` gives it back."""
        return json.dumps(self.as_dict(), indent=1, allow_nan=False)

    def to_csv(self) -> str:
        """A line of column names, then a line each of `rows()`."""
        return csv_of(self.rows())

    def as_dict(self) -> dict[str, Any]:
        """Plain dicts and lists, fit for JSON."""
        return {**asdict(self), "inputs": [given._asdict() for given in self.inputs]}

    @classmethod
    def from_json(cls, text: str) -> "Result":
        """What `to_json` was made from.

        Raises:
            ValueError: `text` is no such JSON.
        """
        return cls.from_dict(json.loads(text))

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> "Result":
        """What `as_dict` was made from.

        Raises:
            ValueError: `given` has other items.
        """
        try:
            inputs = tuple(Input(**item) for item in given["inputs"])
            episodes = tuple(EpisodeResult(**item) for item in given["episodes"])
            return cls(**{**given, "inputs": inputs, "episodes": episodes})
        except (TypeError, KeyError) as error:
            raise ValueError(f"no result of an evaluation ({error}); expected what Result.to_json() writes") from error

    def _digests(self) -> dict[str, str]:
        kinds = dict.fromkeys(given.kind for given in self.inputs)
        return {f"{kind}_sha256": " ".join(_digests(self.inputs, kind)) for kind in kinds}


def _digests(inputs: Sequence[Input], kind: str) -> list[str]:
    return [given.sha256 for given in inputs if given.kind == kind]
