"""What SUMO makes of a .sumocfg and of command line options: by canonical name, with absolute paths."""

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from os import PathLike
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree

from sumolib.miscutils import parseTime

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.tools import run

NOT_FILES = ("stdout", "stderr", "-", "NUL", "nul", "/dev/null")
LOGS = ("log", "message-log", "error-log")


class Option(NamedTuple):
    """An option of SUMO: its section in a .sumocfg, and its type ("FILE", "TIME", "BOOL", "STR[]", …)."""

    section: str
    type: str


def read_sumocfg(path: str | PathLike[str]) -> Scenario:
    """The scenario of the .sumocfg at `path`; its further options are read when an episode starts.

    Raises:
        ScenarioError: there is no such file, SUMO rejects it, or a file that it names is not accessible.
    """
    path = os.path.abspath(path)
    settings = canonical(path, ())
    if "net-file" not in settings:
        raise ScenarioError(f"{path} names no net-file; expected <net-file value='….net.xml'/> in its <input>")
    end = _seconds(path, settings, "end", "-1")
    return Scenario(
        net_file=settings["net-file"],
        route_files=_names(settings, "route-files"),
        additional_files=_names(settings, "additional-files"),
        begin=_seconds(path, settings, "begin", "0"),
        end=end if end >= 0 else None,
        step_length=_seconds(path, settings, "step-length", "1"),
        sumocfg=path,
        name=Path(path).stem,
    )


def canonical(sumocfg: str | None, options: Sequence[str]) -> dict[str, str]:
    """What SUMO makes of a .sumocfg (None: no such file) and of command line options: values by canonical option name.

    Synonyms and short forms are resolved by SUMO itself; only what was set is in the result. An option wins over the
    .sumocfg. File names come out absolute, several joined by commas.

    Raises:
        ScenarioError: SUMO rejects them; the message holds its words.
    """
    if sumocfg is None:
        return dict(_canonical(None, (0, 0), tuple(options), os.getcwd()))
    try:
        state = os.stat(sumocfg)
    except OSError as error:
        raise ScenarioError(f"File '{sumocfg}' is not accessible ({error.strerror}); expected a .sumocfg") from error
    return dict(_canonical(os.path.abspath(sumocfg), (state.st_size, state.st_mtime_ns), tuple(options), os.getcwd()))


@cache
def known_options() -> dict[str, Option]:
    """All options of SUMO, by canonical name."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "template.xml"
        run("sumo", "--save-template", str(file))
        return {
            option.tag: Option(section.tag, option.get("type", ""))
            for section in ElementTree.parse(file).getroot()
            for option in section
        }


def is_output(name: str) -> bool:
    """Whether the option of this canonical name makes SUMO write a file."""
    option = known_options()[name]
    if option.section == "output":
        return option.type == "FILE" and not name.endswith(".input-file")
    if option.type == "STR":
        return name.endswith(".file")  # device.ssm.file, device.toc.file
    return option.type == "FILE" and (name in LOGS or name.endswith(("-output", ".output")))


def without_outputs(settings: Mapping[str, str]) -> dict[str, str]:
    """`settings` less the output files and the options that shape them (SUMO rejects some of these on their own)."""
    return {name: value for name, value in settings.items() if not _concerns_output(name)}


def _concerns_output(name: str) -> bool:
    if name.startswith("save-state."):
        return True
    known = known_options()
    parts = name.split(".")
    starts = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
    return any(start in known and is_output(start) for start in starts)


@lru_cache(maxsize=128)
def _canonical(
    sumocfg: str | None, state: tuple[int, int], options: tuple[str, ...], working_directory: str
) -> dict[str, str]:
    """Read what `--save-configuration` writes. The size and time stamp, and where we are, only key the cache."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder).resolve() / "saved.sumocfg"
        given = ("-c", sumocfg) if sumocfg is not None else ()
        try:
            said = run("sumo", *given, *options, "--save-configuration", str(file), cwd=working_directory)
        except ScenarioError as error:
            what = " ".join([*([sumocfg] if sumocfg else []), *options])
            raise ScenarioError(f"SUMO rejects the options {what!r}: {error}") from error
        if not file.exists():
            raise ScenarioError(f"SUMO took {list(options)} as a request to say something and end: {said.strip()}")
        return dict(_saved(file, os.path.dirname(sumocfg) if sumocfg else None))


def _saved(file: Path, home: str | None) -> Iterator[tuple[str, str]]:
    known = known_options()
    for section in ElementTree.parse(file).getroot():
        for option in section:
            value = option.get("value", "")
            if known[option.tag].type == "FILE":
                value = ",".join(_absolute(str(file.parent), name, home) for name in value.split(","))
            yield option.tag, value


def _absolute(folder: str, name: str, home: str | None) -> str:
    """The file `name`, which SUMO wrote relative to `folder`, percent-encoded.

    In a .sumocfg (in the folder `home`) the user's name was encoded as well, and SUMO left that so; `home` was not.
    """
    name = re.sub(r"\$\{(\w+)\}", lambda found: os.environ.get(found[1], found[0]), unquote(name)).strip()
    if not name or name in NOT_FILES:
        return name
    head, tail = os.path.split(name)
    path = os.path.normpath(os.path.join(folder, head, tail.strip()))  # "a.rou.xml, b.rou.xml" is often written
    if home is None:
        return path
    common = os.path.commonpath([home, path])
    return os.path.join(common, unquote(os.path.relpath(path, common)))


def _names(settings: Mapping[str, str], option: str) -> tuple[str, ...]:
    return tuple(name for name in settings.get(option, "").split(",") if name)


def _seconds(path: str, settings: Mapping[str, str], option: str, default: str) -> float:
    value = settings.get(option, default)
    try:
        return float(parseTime(value))
    except ValueError as error:
        raise ScenarioError(f"{path}: {option}={value!r}; expected seconds or a clock time like '07:00:00'") from error
