"""A scenario: the files, and the seconds between begin and end."""

import logging
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import Any, Protocol

import numpy as np

from sumo_gymnasium.config import MOST, SHORTEST, time
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.names import unknown
from sumo_gymnasium.scenarios.ranges import number

logger = logging.getLogger("sumo_gymnasium")
SCALE = "demand_scale"
MOST_SCALE = 1000.0  # times the demand, by an option of reset
EPISODE = 3600.0  # s, where nothing says when to end


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """What is simulated. Paths are absolute or relative to the working directory.

    Attributes:
        net_file: the network.
        route_files: demand; one path or several. SUMO reads vehicles sorted by departure.
        additional_files: detectors, programs of signals, vehicle types, …; one path or several.
        begin: first simulated second.
        end: the episode is truncated here, s; None: 3600 s after begin.
        step_length: s a simulation step.
        sumocfg: a SUMO configuration whose further options hold.
        name: shown in results.
        scale: factor on the demand (SUMO's `--scale`).
        variation: what differs between episodes; None: nothing but SUMO's own chance.
    """

    net_file: str
    route_files: tuple[str, ...] = ()
    additional_files: tuple[str, ...] = ()
    begin: float = 0.0
    end: float | None = None
    step_length: float = 1.0
    sumocfg: str | None = None
    name: str = ""
    scale: float = 1.0
    variation: "Variation | None" = None

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "name", self.name or str(self.net_file))
        (net_file,) = _paths("net_file", [self.net_file])
        set_field(self, "net_file", net_file)
        for field in ("route_files", "additional_files"):
            set_field(self, field, _paths(field, getattr(self, field)))
        set_field(self, "begin", _time("begin", self.begin))
        if self.end is not None:
            set_field(self, "end", _time("end", self.end))
        set_field(self, "step_length", _time("step_length", self.step_length, least=SHORTEST))
        set_field(self, "scale", number("scale", self.scale, most=MOST))
        if not 0 <= self.begin < self.last:
            raise ScenarioError(f"begin={self.begin:g}, end={self.last:g}: expected 0 ≤ begin < end, in seconds")
        for path in (self.net_file, *self.route_files, *self.additional_files):
            _accessible(path)

    @property
    def last(self) -> float:
        """The second at which the episode is truncated."""
        return self.begin + EPISODE if self.end is None else self.end

    def episode(self, random: np.random.Generator, folder: str, options: Mapping[str, Any]) -> "Scenario":
        """What is simulated in one episode; files made for it are written into `folder`.

        Args:
            random: all that is drawn comes from it.
            folder: of the episode.
            options: of reset: `demand_scale`, which multiplies `scale`, and those of the variation. Others are ignored
                with a warning, since wrappers and tests of PettingZoo pass what they like.

        Raises:
            ValueError: a value that cannot be.
            TypeError: `options` is no mapping.
        """
        if not isinstance(options, Mapping):
            raise TypeError(f"options={options!r}: expected a mapping, e.g. {{'{SCALE}': 1.2}}, or None")
        own = () if self.variation is None else self.variation.options
        for name in options:
            if name not in (SCALE, *own):
                logger.warning("%s; it is ignored", unknown("reset option", name, dict.fromkeys((SCALE, *own))))
        found = self
        if SCALE in options:
            found = replace(self, scale=self.scale * number(SCALE, options[SCALE], most=MOST_SCALE))
        if self.variation is None:
            return found
        return self.variation(found, random, folder, {name: options[name] for name in own if name in options})


class Variation(Protocol):
    """What differs between the episodes of a scenario: its demand, an incident and so on."""

    @property
    def options(self) -> tuple[str, ...]:
        """Which options of reset fix what would be drawn."""

    def __call__(
        self, scenario: Scenario, random: np.random.Generator, folder: str, options: Mapping[str, Any], /
    ) -> Scenario:
        """The scenario of one episode. The network stays, since spaces were made from it."""


def _time(name: str, value: object, least: float = 0.0) -> float:
    try:
        return time(name, value, least=least)
    except ValueError as error:
        raise ScenarioError(str(error)) from error


def _paths(field: str, given: object) -> tuple[str, ...]:
    """Absolute paths: the process may change its folder before SUMO reads them."""
    if isinstance(given, str | PathLike):
        given = [path for path in fspath(given).split(",") if path]  # SUMO separates files by commas
    if not isinstance(given, Iterable):
        raise ScenarioError(f"{field}={given!r}: expected a path, or a sequence of paths")
    return tuple(_path(field, path) for path in given)


def _path(field: str, given: object) -> str:
    if not isinstance(given, str | PathLike):
        raise ScenarioError(f"{field}={given!r}: expected a path")
    path = os.path.abspath(fspath(given))
    if "," in path or "${" in path:
        raise ScenarioError(f"{field}={path!r}: SUMO reads a comma or '${{' in a path as something else; rename it")
    return path


def _accessible(path: str) -> None:
    try:
        with open(path, "rb"):
            return
    except OSError as error:
        raise ScenarioError(
            f"File '{path}' is not accessible ({error.strerror}); expected a file, absolute or relative to the working "
            "directory"
        ) from error


def from_mapping(given: Mapping[str, object]) -> Scenario:
    """A scenario from `{net_file, route_files, additional_files, begin, end}`.

    Raises:
        ScenarioError: a key that there is not, or no net_file.
    """
    keys = Scenario.__dataclass_fields__
    wrong = [key for key in given if key not in keys]
    if wrong or "net_file" not in given:
        what = f"unknown {wrong[0]!r}" if wrong else "no 'net_file'"
        raise ScenarioError(f"scenario {dict(given)!r}: {what}; expected some of {', '.join(keys)}")
    return Scenario(**given)  # type: ignore[arg-type]
