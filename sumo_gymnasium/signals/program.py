"""The program of one signal as its file gives it, and the phases in it that an agent may choose."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest

GREEN = frozenset("Gg")
CHANGING = frozenset("yu")  # amber, and red-amber before green
NEMA = "NEMA"
NEMA_PRECEDENCE = "GgyuOs"  # of two letters for one link SUMO shows the first of these; neither means red


@dataclass(frozen=True)
class Program:
    """A `tlLogic` of the network or of an additional file.

    Attributes:
        signal: the signal that it belongs to.
        program_id: SUMO's programID.
        type: "static", "actuated", "delay_based", "NEMA", "off", or another of SUMO's types.
        states: one letter a link, one string for each of SUMO's phases (yellow counts too); NEMA: for each ring phase.
        durations: s, of each state.
        names: of each state; "" without one. NEMA numbers its ring phases by them.
        offset: shift against the network clock, s.
        parameters: pairs of key and value.
    """

    signal: str
    program_id: str
    type: str
    states: tuple[str, ...] = ()
    durations: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    offset: float = 0.0
    parameters: tuple[tuple[str, str], ...] = ()


def greens(program: Program, crossings: frozenset[int], unused: frozenset[int] = frozenset()) -> tuple[str, ...]:
    """The phases of `program` that an agent may choose, as full states in program order; () if it has no green.

    A phase has a used link at G or g, and none that changes (y, u). Of states that differ on unused links only, the
    first stands for all; a pedestrian clearance and a state with nothing but permanent greens are left out. If one
    green remains, the states that rest (red but for permanent greens) follow it, so that a ramp can be held at red.

    Args:
        program: also NEMA, whose phases are the pairs of ring phases that SUMO shows together.
        crossings: link indices of pedestrian crossings. Each that is ever green is green in one of the phases.
        unused: link indices without a connection; their letters mean nothing.
    """
    steady = _steady(_states(program), crossings, unused)
    lit = {state: _green_links(state, unused) for state in steady}
    candidates = _without_clearance([state for state in steady if lit[state]], lit, crossings, unused)
    permanent = _common(lit[state] for state in candidates)
    offered = [state for state in candidates if lit[state] != permanent] or candidates
    if len(offered) == 1:
        always = _common(lit.values())
        offered += [state for state in steady if lit[state] <= always and state not in offered]
    return tuple(offered)


def following(program: Program, greens: Sequence[str], state: str, index: int) -> int:
    """The phase (index into `greens`) that `program` shows or goes to next.

    Args:
        program: the signal's active program.
        greens: the phases offered, see `greens`; at least one.
        state: what SUMO shows now.
        index: SUMO's phase index now. NEMA has none that means anything: there, and where `state` is not what the
            program has at `index`, the phase that agrees with `state` on most links is taken, the first of equals.
    """
    if state in greens:
        return greens.index(state)
    states = program.states
    if program.type != NEMA and 0 <= index < len(states) and states[index] == state:
        for coming in states[index:] + states[:index]:
            if coming in greens:
                return greens.index(coming)
    return max(range(len(greens)), key=lambda phase: (_agreement(greens[phase], state), -phase))


def _states(program: Program) -> tuple[str, ...]:
    return _nema_pairs(program) if program.type == NEMA else program.states


def _steady(states: Sequence[str], crossings: frozenset[int], unused: frozenset[int]) -> list[str]:
    """The states without a changing link, each once, in order.

    A crossing that is green only while vehicle links change gets a state of its own, with red for these links.
    """
    changes = [any(letter in CHANGING for letter in _used(state, unused)) for state in states]
    settled = [state for state, changing in zip(states, changes, strict=True) if not changing]
    served = _union(_green_links(state, unused) for state in settled)
    found: dict[str, str] = {}
    for state, changing in zip(states, changes, strict=True):
        missing = (_green_links(state, unused) & crossings) - served
        if not changing or missing:
            served |= missing
            calm = state if not changing else "".join("r" if letter in CHANGING else letter for letter in state)
            found.setdefault(_used(calm, unused), calm)
    return list(found.values())


def _without_clearance(
    states: Sequence[str], lit: dict[str, frozenset[int]], crossings: frozenset[int], unused: frozenset[int]
) -> list[str]:
    """`states` but those in which pedestrians clear: another has the same letters for vehicles and more crossings."""
    vehicles = {state: _used(state, unused | crossings) for state in states}
    return [
        state
        for state in states
        if not any(
            vehicles[other] == vehicles[state] and lit[state] & crossings < lit[other] & crossings for other in states
        )
    ]


def _nema_pairs(program: Program) -> tuple[str, ...]:
    """The states that a NEMA program shows while both rings are green, in the order of the rings.

    As SUMO reads it (NEMAController.cpp): each digit of `ring1` and `ring2` is one place, 0 an empty one, and two
    places lie on each side of a barrier, whatever `barrierPhases` says. Ring phases of one side go together. A side
    that the second ring merely repeats has one ring, whose phases stay alone.
    """
    parameters = dict(program.parameters)
    by_number = _nema_numbers(program)
    rings = [_nema_sides(parameters.get(ring, ""), by_number) for ring in ("ring1", "ring2")]
    pairs: list[str] = []
    for one, other in zip_longest(*rings, fillvalue=[]):
        together = [[number] for number in one] if set(one) == set(other) else product(*filter(None, (one, other)))
        pairs += [_nema_combined([by_number[number] for number in numbers]) for numbers in together]
    return tuple(pairs)


def _nema_numbers(program: Program) -> dict[int, str]:
    """The state of each ring phase by its number; the first of a number counts."""
    numbered: dict[int, str] = {}
    for name, state in zip(program.names, program.states, strict=True):
        if name.strip().isdecimal():
            numbered.setdefault(int(name), state)
    return numbered


def _nema_sides(ring: str, by_number: dict[int, str]) -> list[list[int]]:
    """The ring phases of one ring, for each side of the barrier."""
    places = [int(digit) for digit in ring if digit in "0123456789"]
    sides = [places[place : place + 2] for place in range(0, len(places), 2)]
    return [[number for number in side if number in by_number] for side in sides]


def _nema_combined(states: Sequence[str]) -> str:
    return "".join(
        next((letter for letter in NEMA_PRECEDENCE if letter in letters), "r") for letters in zip(*states, strict=True)
    )


def _used(state: str, unused: frozenset[int]) -> str:
    """The letters of `state` but those of unused links."""
    return "".join(letter for link, letter in enumerate(state) if link not in unused)


def _green_links(state: str, unused: frozenset[int]) -> frozenset[int]:
    return frozenset(link for link, letter in enumerate(state) if letter in GREEN and link not in unused)


def _common(links: Iterable[frozenset[int]]) -> frozenset[int]:
    return frozenset.intersection(*collected) if (collected := list(links)) else frozenset()


def _union(links: Iterable[frozenset[int]]) -> frozenset[int]:
    return frozenset().union(*links)


def _agreement(phase: str, state: str) -> int:
    return sum(ours == theirs for ours, theirs in zip(phase, state, strict=False))
