"""Streets that cross at right angles, with a signal at each crossing, as input for netconvert."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from sumo_gymnasium.scenarios.ranges import number, whole

SIDES = ("north", "east", "south", "west")  # clockwise
TURNS = {
    "right": 3,
    "straight": 2,
    "left": 1,
}  # how many sides on (clockwise) a turn leads, for one who comes from a side


@dataclass(frozen=True)
class Street:
    """A street; `lanes` and `turn_lanes` (for left turns only) in each direction, `speed` is the limit, m/s."""

    lanes: int
    turn_lanes: int
    speed: float

    @classmethod
    def of(cls, lanes: Any, turn_lanes: Any, speed: Any) -> "Street":
        """With its arguments checked.

        Raises:
            ScenarioError: a value that cannot be.
        """
        return cls(
            whole("lanes", lanes, least=1, most=4),
            whole("turn_lanes", turn_lanes, least=0, most=2),
            number("speed", speed, least=5.0, most=40.0),
        )


class Edge(NamedTuple):
    """One direction of a street between two neighbours."""

    origin: str
    target: str
    street: Street

    @property
    def name(self) -> str:
        """Its id."""
        return f"{self.origin}_{self.target}"


@dataclass(frozen=True)
class Streets:
    """Crossings at each of `x` and `y`, in m, and arms that lead in from all around.

    Attributes:
        names: of the crossings, row by row from below, each from left to right.
        x: of the streets that go up and down.
        y: of the streets that go left and right.
        arm: length of the arms, m.
        across: the streets that go left and right.
        along: the streets that go up and down.
    """

    names: Sequence[Sequence[str]]
    x: Sequence[float]
    y: Sequence[float]
    arm: float
    across: Street
    along: Street

    def plain(self) -> dict[str, str]:
        """The text of netconvert's nodes, edges and connections."""
        return {
            "nodes": _file("nodes", self._nodes()),
            "edges": _file("edges", map(_edge, self.edges())),
            "connections": _file("connections", self._connections()),
        }

    def edges(self) -> list[Edge]:
        """Each street in both directions."""
        lines = [(row, self.across) for row in self._rows()] + [(column, self.along) for column in self._columns()]
        pairs = [(one, other, street) for line, street in lines for one, other in pairwise(line)]
        return [edge for one, other, street in pairs for edge in (Edge(one, other, street), Edge(other, one, street))]

    def neighbours(self) -> dict[str, dict[str, str]]:
        """By crossing and side: the crossing or end there."""
        found: dict[str, dict[str, str]] = {name: {} for row in self.names for name in row}
        for lines, before, after in ((self._rows(), "west", "east"), (self._columns(), "south", "north")):
            for line in lines:
                for one, crossing, other in zip(line, line[1:], line[2:], strict=False):
                    found[crossing] |= {before: one, after: other}
        return found

    def _rows(self) -> list[list[str]]:
        return [[f"{row[0]}_west", *row, f"{row[-1]}_east"] for row in self.names]

    def _columns(self) -> list[list[str]]:
        columns = [list(column) for column in zip(*self.names, strict=True)]
        return [[f"{column[0]}_south", *column, f"{column[-1]}_north"] for column in columns]

    def _nodes(self) -> Iterator[str]:
        left, right, bottom, top = self.x[0], self.x[-1], self.y[0], self.y[-1]
        for row, y in zip(self._rows(), self.y, strict=True):
            yield _node(row[0], left - self.arm, y, "dead_end")
            for name, x in zip(row[1:-1], self.x, strict=True):
                yield _node(name, x, y, "traffic_light")
            yield _node(row[-1], right + self.arm, y, "dead_end")
        for column, x in zip(self._columns(), self.x, strict=True):
            yield _node(column[0], x, bottom - self.arm, "dead_end")
            yield _node(column[-1], x, top + self.arm, "dead_end")

    def _connections(self) -> Iterator[str]:
        edges = {(edge.origin, edge.target): edge for edge in self.edges()}
        for crossing, around in self.neighbours().items():
            for place, side in enumerate(SIDES):
                for turn, onward in TURNS.items():
                    origin = edges[around[side], crossing]
                    target = edges[crossing, around[SIDES[(place + onward) % 4]]]
                    yield from (
                        _connection(origin, target, *pair) for pair in _lanes(turn, origin.street, target.street)
                    )


def _lanes(turn: str, origin: Street, target: Street) -> list[tuple[int, int]]:
    """From which lane to which: 0 is the rightmost. Without lanes for left turns, the leftmost has them as well."""
    if turn == "right":
        return [(0, 0)]
    if turn == "straight":
        return [(lane, lane) for lane in range(min(origin.lanes, target.lanes))]
    leftmost = target.lanes - 1
    if not origin.turn_lanes:
        return [(origin.lanes - 1, leftmost)]
    first = leftmost - origin.turn_lanes + 1
    return [(origin.lanes + place, max(first + place, 0)) for place in range(origin.turn_lanes)]


def _node(name: str, x: float, y: float, kind: str) -> str:
    return f'    <node id="{name}" x="{x:g}" y="{y:g}" type="{kind}"/>\n'


def _edge(edge: Edge) -> str:
    street = edge.street
    leads_out = edge.target.endswith(tuple(f"_{side}" for side in SIDES))  # nobody turns there
    lanes = street.lanes if leads_out else street.lanes + street.turn_lanes
    return (
        f'    <edge id="{edge.name}" from="{edge.origin}" to="{edge.target}" numLanes="{lanes}" '
        f'speed="{street.speed:g}" priority="{street.lanes}"/>\n'
    )


def _connection(origin: Edge, target: Edge, lane: int, onto: int) -> str:
    return f'    <connection from="{origin.name}" to="{target.name}" fromLane="{lane}" toLane="{onto}"/>\n'


def _file(root: str, lines: Iterator[str]) -> str:
    return f"<{root}>\n{''.join(lines)}</{root}>\n"
