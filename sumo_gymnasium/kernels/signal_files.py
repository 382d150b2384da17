"""What the files say of signals: programs, phases, links and lanes."""

from collections.abc import Mapping
from typing import NamedTuple

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.net import Link, Net
from sumo_gymnasium.signals.program import NEMA, Program, greens

LETTERS = frozenset("rRyYgGuUsoO")  # what SUMO accepts in a state


class Movement(NamedTuple):
    """All links from one approach (an edge) to one exit (an edge)."""

    origin: str
    target: str
    links: tuple[Link, ...]


class Static(NamedTuple):
    """What the files say of one signal."""

    program: Program
    programs: tuple[Program, ...]
    phases: tuple[str, ...]
    others: tuple[str, ...]
    crossings: frozenset[int]
    movements: tuple[Movement, ...]
    incoming_lanes: tuple[str, ...]
    outgoing_lanes: tuple[str, ...]


class SignalFiles:
    """The static facts of all signals; those of one are put together when it is first asked for.

    Attributes:
        ids: every signal that has a program and a link, sorted.
    """

    def __init__(self, net: Net, programs: Mapping[str, tuple[Program, ...]]) -> None:
        self.ids = tuple(signal for signal in net.links if signal in programs)
        self._net, self._programs = net, programs
        self._static: dict[str, Static] = {}

    def program(self, signal: str) -> Program:
        """The program that is active at the scenario's begin."""
        return self.static(signal).program

    def phases(self, signal: str) -> tuple[str, ...]:
        """The states that an agent may choose; see `signals.program.greens`."""
        return self.static(signal).phases

    def plans(self, signal: str) -> tuple[tuple[tuple[int, float], ...], ...]:
        """For each program that has a green, the active one first: its greens and how long each shows, s.

        They are numbered as in `phases`; those that only other programs have come after them.
        """
        static = self.static(signal)
        number = {state: place for place, state in enumerate((*static.phases, *static.others))}
        sequences = (program for program in static.programs if program.type != NEMA)  # its rings have no one sequence
        timed = (zip(program.states, program.durations, strict=True) for program in sequences)
        plans = (tuple((number[state], green) for state, green in rows if state in number) for rows in timed)
        return tuple(filter(None, plans))

    def must_offer_phases(self, signal: str) -> None:
        """Check that there is something to choose.

        Raises:
            ScenarioError: no such signal, or none of its states is green.
        """
        if not self.phases(signal):
            program = self.program(signal)
            raise ScenarioError(
                f"signal {signal!r} has no green in its active program {program.program_id!r} (type {program.type}): "
                "nothing to choose. Control another signal, or load a program with greens in an additional file"
            )

    def links(self, signal: str) -> tuple[Link, ...]:
        """All ways across the signal, sorted by their index in its state."""
        return self._net.links[signal]

    def movements(self, signal: str) -> tuple[Movement, ...]:
        """The ways of vehicles across the signal from edge to edge, in order of their first link."""
        return self.static(signal).movements

    def incoming_lanes(self, signal: str) -> tuple[str, ...]:
        """The lanes for vehicles that end at the signal, each once, in order of the links."""
        return self.static(signal).incoming_lanes

    def outgoing_lanes(self, signal: str) -> tuple[str, ...]:
        """The lanes for vehicles that begin behind the signal, each once, in order of the links."""
        return self.static(signal).outgoing_lanes

    def crossings(self, signal: str) -> frozenset[int]:
        """The indices that rule nothing but pedestrian crossings."""
        return self.static(signal).crossings

    def foes(self, signal: str) -> frozenset[tuple[int, int]]:
        """Pairs of indices (low, high) whose links cross each other."""
        return self._net.foes[signal]

    def static(self, signal: str) -> Static:
        """What the files say of the signal.

        Raises:
            ScenarioError: there is no such signal, or its program does not fit its links.
        """
        found = self._static.get(signal)
        if found is None:
            found = self._static[signal] = self._read(signal)
        return found

    def _read(self, signal: str) -> Static:
        if signal not in self.ids:
            raise ScenarioError(
                f"no signal {signal!r} with a program and links; there are: {', '.join(self.ids) or 'none'}"
            )
        programs, links = self._programs[signal], self._net.links[signal]
        program = programs[0]
        _check_states(program, max(link.index for link in links) + 1)
        by_vehicles = frozenset(link.index for link in links if not link.crossing)
        crossings = frozenset(link.index for link in links) - by_vehicles
        unused = frozenset(range(max(map(len, program.states), default=0))) - by_vehicles - crossings
        drivable = [link for link in links if not link.crossing and self._net.lanes[link.origin].vehicles]
        phases = greens(program, crossings, unused)
        usable = (other for other in programs[1:] if _fits(other, program))
        others = (phase for other in usable for phase in greens(other, crossings, unused))
        return Static(
            program=program,
            programs=programs,
            phases=phases,
            others=tuple(phase for phase in dict.fromkeys(others) if phase not in phases),
            crossings=crossings,
            movements=_movements(self._net, signal),
            incoming_lanes=tuple(dict.fromkeys(link.origin for link in drivable)),
            outgoing_lanes=tuple(dict.fromkeys(link.target for link in drivable)),
        )


def _movements(net: Net, signal: str) -> tuple[Movement, ...]:
    found: dict[tuple[str, str], list[Link]] = {}
    for link in net.links[signal]:
        if not link.crossing:
            found.setdefault((net.lanes[link.origin].edge, net.lanes[link.target].edge), []).append(link)
    return tuple(Movement(origin, target, tuple(links)) for (origin, target), links in found.items())


def _fits(other: Program, active: Program) -> bool:
    """Whether the states of `other` could be shown in place of those of `active`."""
    lengths = set(map(len, active.states))
    return all(len(state) in lengths and set(state) <= LETTERS for state in other.states)


def _check_states(program: Program, links: int) -> None:
    for phase, state in enumerate(program.states):
        wrong = set(state) - LETTERS
        if wrong:
            raise ScenarioError(
                f"Illegal character {min(wrong)!r} in tlLogic {program.signal!r}, program {program.program_id!r} in "
                f"phase {phase}; expected letters of {''.join(sorted(LETTERS))}"
            )
        if len(state) < links:
            raise ScenarioError(
                f"Invalid linkIndex '{links - 1}' in connection controlled by {program.signal!r}: phase {phase} of "
                f"program {program.program_id!r} has {len(state)} letters ({state!r}), expected at least {links}"
            )
