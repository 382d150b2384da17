"""Which vehicle is of which type: evenly or randomly mixed, or in platoons."""

import re
from collections.abc import Sequence

import numpy as np

from sumo_gymnasium.errors import ScenarioError

HUMAN = "human"
AGENT = "agent"
MIXED = ("even", "random")
MOST = 100_000  # vehicles in a platoon string

_TOKENS = re.compile(r"\s*([A-Za-z_][\w.-]*|\d+|[()*]|\S)")
_EXPECTED = 'expected "even", "random", or types in platoons such as "(agent human*5)*4"'


def platoon(text: str) -> tuple[str, ...]:
    """The types that a platoon string names, in order: `"(agent human*2)*2"` is agent human human agent human human.

    Raises:
        ScenarioError: it cannot be read.
    """
    tokens = _TOKENS.findall(text)
    found, end = _sequence(text, tokens, 0)
    if end < len(tokens) or not found:
        raise _unreadable(text, f"{tokens[end]!r} is out of place" if found else "it names no type")
    return found


def mixed(placement: str, penetration: float, count: int, random: np.random.Generator) -> tuple[str, ...]:
    """The types of `count` vehicles that there are from the start, one behind the other.

    Args:
        placement: "even": the agents' number is the share of `count`, rounded, and they are equally far apart;
            "random": as many, anywhere; a platoon string: as it says, again and again.
        penetration: the share of agents, 0 to 1; a platoon string has its own.
        count: of vehicles.
        random: chance.

    Raises:
        ScenarioError: the platoons do not add up to `count`.
    """
    agents = round(penetration * count)
    if placement == "even":
        return tuple(AGENT if place * agents % count < agents else HUMAN for place in range(count))
    if placement == "random":
        chosen = frozenset(random.permutation(count)[:agents].tolist())
        return tuple(AGENT if place in chosen else HUMAN for place in range(count))
    types = platoon(placement)
    if count % len(types):
        raise ScenarioError(
            f"placement={placement!r} names {len(types)} vehicles, vehicles={count}: expected a multiple of it"
        )
    return types * (count // len(types))


def coming(placement: str, penetration: float, count: int, random: np.random.Generator) -> tuple[str, ...]:
    """The types of `count` vehicles that come one after the other; arguments as of `mixed`.

    "even": every 1/`penetration`-th is an agent; "random": each is one with that probability; platoons come again and
    again, and may be cut off at the end.
    """
    if placement == "random":
        return tuple(AGENT if chance < penetration else HUMAN for chance in random.random(count))
    if placement == "even":
        due = np.floor(np.arange(count + 1) * penetration + 1e-9)
        return tuple(AGENT if more else HUMAN for more in np.diff(due))
    types = platoon(placement)
    return tuple(types[place % len(types)] for place in range(count))


def _sequence(text: str, tokens: Sequence[str], start: int) -> tuple[tuple[str, ...], int]:
    """The types from token `start` to the end, or to a bracket that closes; where that is."""
    found: tuple[str, ...] = ()
    place = start
    while place < len(tokens) and tokens[place] != ")":
        item, place = _item(text, tokens, place)
        if tokens[place : place + 1] == ["*"]:
            item, place = item * _count(text, tokens, place + 1, len(item)), place + 2
        found += item
        if len(found) > MOST:
            raise _unreadable(text, f"it names more than {MOST} vehicles")
    return found, place


def _item(text: str, tokens: Sequence[str], place: int) -> tuple[tuple[str, ...], int]:
    token = tokens[place]
    if token == "(":
        found, end = _sequence(text, tokens, place + 1)
        if end == len(tokens):
            raise _unreadable(text, "a bracket is not closed")
        return found, end + 1
    if not re.match(r"[A-Za-z_]", token):
        raise _unreadable(text, f"{token!r} is out of place")
    return (token,), place + 1


def _count(text: str, tokens: Sequence[str], place: int, length: int) -> int:
    token = tokens[place] if place < len(tokens) else "the end"
    if not token.isdecimal() or int(token) == 0:
        raise _unreadable(text, f"{token!r} after '*'; a whole number of 1 or more goes there")
    return min(int(token), MOST // max(length, 1) + 1)


def _unreadable(text: str, why: str) -> ScenarioError:
    return ScenarioError(f"placement={text!r}: {why}; {_EXPECTED}")
