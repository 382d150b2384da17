"""A scenario: the files, and the seconds between begin and end."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike, fspath

from sumo_gymnasium.config import SHORTEST, time
from sumo_gymnasium.errors import ScenarioError

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
    """

    net_file: str
    route_files: tuple[str, ...] = ()
    additional_files: tuple[str, ...] = ()
    begin: float = 0.0
    end: float | None = None
    step_length: float = 1.0
    sumocfg: str | None = None
    name: str = ""

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
        if not 0 <= self.begin < self.last:
            raise ScenarioError(f"begin={self.begin:g}, end={self.last:g}: expected 0 ≤ begin < end, in seconds")
        for path in (self.net_file, *self.route_files, *self.additional_files):
            _accessible(path)

    @property
    def last(self) -> float:
        """The second at which the episode is truncated."""
        return self.begin + EPISODE if self.end is None else self.end


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
