"""The program that each signal has at begin, read from the files as SUMO reads them."""

import gzip
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, cast
from xml.parsers import expat
from xml.sax.saxutils import quoteattr
from zlib import error as ZlibError  # noqa: N812 a class, whatever zlib calls it

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.signals.program import Program

OFF = "off"
ONLINE = "online"
WITHOUT_PHASES = frozenset({"rail_signal", "rail_crossing"})
GZIP_MAGIC = b"\x1f\x8b"

Attributes = dict[str, str]


def active_programs(
    net_file: str | Path, additional_files: Iterable[str | Path] = (), begin: float = 0.0
) -> dict[str, Program]:
    """The program that SUMO has active at `begin`, for each signal: the first of `all_programs`."""
    found = all_programs(net_file, additional_files, begin)
    return {signal: programs[0] for signal, programs in found.items()}


def all_programs(
    net_file: str | Path, additional_files: Iterable[str | Path] = (), begin: float = 0.0
) -> dict[str, tuple[Program, ...]]:
    """All programs of each `tlLogic` id in the order of the network, the one that SUMO has active at `begin` first.

    Each file is read once, element by element, in SUMO's order (measured with 1.28): the last program of the network
    holds until a `tlLogic` with phases or a `wautJunction` further on in the additional files replaces it. A
    `tlLogic` without phases only shifts the program whose ID it has. Rail signals and crossings, which have no
    phases, stand among the others.

    Args:
        net_file: gzip or not, whatever its name, like each of the files.
        additional_files: in the order in which SUMO is given them; what they include is read in its place.
        begin: first simulated second.

    Raises:
        ScenarioError: a file is missing, is no XML, or holds what SUMO refuses.
    """
    reader = _Reader(begin=round(begin * 1000))
    reader.read(Path(net_file))
    reader.net_is_read = True
    for file in additional_files:
        reader.read(Path(file))
    return {signal: _active_first(reader.programs[signal], program) for signal, program in reader.active.items()}


def element(program: Program, bounds: Sequence[tuple[float, float]]) -> str:
    """`program` as an XML element for an additional file; `bounds` are min and max duration of each state, s."""
    phases = "".join(
        f'<phase duration="{duration:g}" minDur="{least:g}" maxDur="{most:g}" state="{state}"/>'
        for state, duration, (least, most) in zip(program.states, program.durations, bounds, strict=True)
    )
    names = f"id={quoteattr(program.signal)} programID={quoteattr(program.program_id)}"
    return f'<tlLogic {names} type="{program.type}" offset="{program.offset:g}">{phases}</tlLogic>\n'


def _active_first(programs: dict[str, Program], active: str) -> tuple[Program, ...]:
    return (programs[active], *(program for name, program in programs.items() if name != active))


@dataclass
class _Waut:
    """SUMO's weekly automatic: the program that a signal has at which time. Times are in ms."""

    reference: int
    start: str
    period: int
    switches: list[tuple[int, str]] = field(default_factory=list)

    def at(self, time: int) -> str:
        """The program at `time`: SUMO takes the switch written before the next one due, even if they are unsorted."""
        later = [place for place, (when, _) in enumerate(self.switches) if when > time]
        following = min(later, key=lambda place: self.switches[place][0], default=len(self.switches))
        return self.switches[following - 1][1] if following else self.start


@dataclass
class _Logic:
    """A `tlLogic` that is being read."""

    attributes: Attributes
    phases: list[Attributes] = field(default_factory=list)
    parameters: dict[str, str] = field(default_factory=dict)


@dataclass
class _Reader:
    """What SUMO knows of the signals after the elements read so far."""

    begin: int  # ms
    programs: dict[str, dict[str, Program]] = field(default_factory=dict)
    active: dict[str, str] = field(default_factory=dict)
    net_is_read: bool = False
    _wauts: dict[str, _Waut] = field(default_factory=dict)
    _waut: _Waut | None = None
    _logic: _Logic | None = None

    def read(self, file: Path) -> None:
        """Read one file, and what it includes."""
        try:
            with file.open("rb") as raw, _unpacked(raw) as stream:
                self._parser(file).ParseFile(stream)
        except expat.ExpatError as error:
            raise ScenarioError(f"{file} is no well-formed XML ({error}); is it complete?") from error
        except (EOFError, ZlibError, gzip.BadGzipFile) as error:
            raise ScenarioError(f"{file} cannot be unpacked ({error}); is it complete?") from error
        except OSError as error:
            raise ScenarioError(f"cannot read {file}: {error.strerror}") from error
        except ScenarioError as error:
            raise ScenarioError(f"{file}: {error}") from error
        except KeyError as error:
            raise ScenarioError(f"{file}: a signal's element lacks the attribute {error}") from error

    def _parser(self, file: Path) -> expat.XMLParserType:
        handlers: dict[str, Callable[[Attributes], None]] = {
            "tlLogic": self._open_logic,
            "phase": self._add_phase,
            "param": self._add_parameter,
            "WAUT": self._add_waut,
            "wautSwitch": self._add_switch,
            "wautJunction": self._apply_waut,
            "include": lambda attributes: self.read(file.parent / attributes["href"]),
        }

        def start(name: str, attributes: Attributes) -> None:
            handler = handlers.get(name)
            if handler is not None:
                handler(attributes)

        def end(name: str) -> None:
            if name == "tlLogic":
                self._close_logic()

        parser = expat.ParserCreate()
        parser.StartElementHandler = start
        parser.EndElementHandler = end
        return parser

    def _open_logic(self, attributes: Attributes) -> None:
        self._logic = _Logic(attributes)

    def _add_phase(self, attributes: Attributes) -> None:
        if self._logic is not None:
            self._logic.phases.append(attributes)

    def _add_parameter(self, attributes: Attributes) -> None:
        if self._logic is not None:
            self._logic.parameters[attributes["key"]] = attributes.get("value", "")

    def _close_logic(self) -> None:
        logic, self._logic = cast(_Logic, self._logic), None
        signal, program_id = logic.attributes["id"], logic.attributes.get("programID", "<unknown>")
        if self.net_is_read and signal not in self.programs:
            raise ScenarioError(f"No initial signal plan loaded for tls '{signal}': the network has no such signal")
        if program_id == ONLINE:
            raise ScenarioError(
                f"tlLogic '{signal}' has a program '{ONLINE}', SUMO's own name for states set from outside; rename it"
            )
        known = self.programs.setdefault(signal, {})
        if program_id not in known:
            known[program_id] = _program(signal, program_id, logic, self.begin)
            self.active[signal] = program_id
        elif logic.phases:
            raise ScenarioError(f"Another logic with id '{signal}' and programID '{program_id}' exists; rename one")
        else:
            known[program_id] = _shifted(known[program_id], logic, self.begin)

    def _add_waut(self, attributes: Attributes) -> None:
        self._waut = _Waut(
            reference=_milliseconds(attributes.get("refTime", "0")),
            start=attributes["startProg"],
            period=_milliseconds(attributes.get("period", "0")),
        )
        self._wauts[attributes["id"]] = self._waut

    def _add_switch(self, attributes: Attributes) -> None:
        if self._waut is not None:
            when = self._waut.reference + _milliseconds(attributes["time"])
            when = when % self._waut.period if self._waut.period > 0 else when
            self._waut.switches.append((when, attributes["to"]))

    def _apply_waut(self, attributes: Attributes) -> None:
        name, signal = attributes["wautID"], attributes["junctionID"]
        if name not in self._wauts:
            raise ScenarioError(f"Waut '{name}' was not yet defined; write the WAUT before its wautJunction")
        if signal not in self.programs:
            raise ScenarioError(f"TLS '{signal}' to switch in WAUT '{name}' was not yet defined")
        program_id = self._wauts[name].at(self.begin)
        known = self.programs[signal]
        if program_id == OFF:
            known.setdefault(OFF, Program(signal, OFF, OFF))
        if program_id not in known:
            raise ScenarioError(
                f"Can not switch tls '{signal}' to program '{program_id}'; the program is not known. "
                f"Known before WAUT '{name}': {', '.join(known)}"
            )
        self.active[signal] = program_id


def _program(signal: str, program_id: str, logic: _Logic, begin: int) -> Program:
    kind = logic.attributes.get("type", "static")
    if OFF in (program_id, kind):
        return Program(signal, OFF, OFF)
    if not logic.phases and kind not in WITHOUT_PHASES:
        raise ScenarioError(f"TLS program '{program_id}' for TLS '{signal}' has a duration of 0: it has no phases")
    return Program(
        signal=signal,
        program_id=program_id,
        type=kind,
        states=tuple(phase["state"] for phase in logic.phases),
        durations=tuple(_milliseconds(phase["duration"]) / 1000 for phase in logic.phases),
        names=tuple(phase.get("name", "") for phase in logic.phases),
        offset=_offset(logic, begin),
        parameters=tuple(logic.parameters.items()),
    )


def _shifted(program: Program, logic: _Logic, begin: int) -> Program:
    parameters = dict(program.parameters) | logic.parameters
    return replace(program, offset=_offset(logic, begin), parameters=tuple(parameters.items()))


def _offset(logic: _Logic, begin: int) -> float:
    offset = logic.attributes.get("offset", "0")
    return (begin if offset == "begin" else _milliseconds(offset)) / 1000


def _milliseconds(time: str) -> int:
    """A time as SUMO writes it: seconds, h:m:s or d:h:m:s."""
    try:
        parts = [float(part) for part in time.split(":")]
        days, hours, minutes, seconds = [0.0] * (4 - len(parts)) + parts
    except ValueError as error:
        raise ScenarioError(f"{time!r} is no time; expected seconds, h:m:s or d:h:m:s") from error
    return round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)


def _unpacked(raw: BinaryIO) -> BinaryIO:
    packed = raw.read(len(GZIP_MAGIC)) == GZIP_MAGIC
    raw.seek(0)
    return cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if packed else raw
