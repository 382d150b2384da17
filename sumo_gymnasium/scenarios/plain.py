"""Plain XML for netconvert: nodes, edges and the connections between them."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

Points = Sequence[tuple[float, float]]
JOINT = "0.1"  # m, of the way across a node where nothing is crossed


class Node(NamedTuple):
    """A node at (x, y), m; `type` is SUMO's word; `radius` of its corners, m (None: netconvert's)."""

    name: str
    x: float
    y: float
    type: str = "priority"
    radius: float | None = None


class Edge(NamedTuple):
    """A one-way road; its limit `speed` in m/s, its `length` in m (None: that of its shape).

    `closed` says how many lanes, from the right, nobody may use. `spread` is SUMO's spreadType.
    """

    name: str
    origin: str
    target: str
    lanes: int
    speed: float
    priority: int = 1
    shape: Points = ()
    length: float | None = None
    closed: int = 0
    spread: str = "center"


class Connection(NamedTuple):
    """From lane to lane; `length` of the way across the node, m (None: that of its shape)."""

    origin: str
    target: str
    lane: int
    onto: int
    length: str | None = None


def plain(
    nodes: Iterable[Node], edges: Iterable[Edge], connections: Iterable[Connection] | None = None
) -> dict[str, str]:
    """The texts of netconvert's files. Without connections netconvert guesses them."""
    found = {"nodes": _file("nodes", map(_node, nodes)), "edges": _file("edges", map(_edge, edges))}
    return (
        found if connections is None else {**found, "connections": _file("connections", map(_connection, connections))}
    )


def straight(origin: Edge, target: Edge) -> list[Connection]:
    """Each lane leads on to the one with its number, from the right, as far as there are open ones."""
    lanes = range(max(origin.closed, target.closed), min(origin.lanes, target.lanes))
    return [Connection(origin.name, target.name, lane, lane, JOINT) for lane in lanes]


def arc(x: float, y: float, radius: float, begin: float, end: float, points: int = 40) -> list[tuple[float, float]]:
    """Points on a circle around (x, y) from the angle `begin` to `end`, in degrees anticlockwise from east."""
    angles = [math.radians(begin + (end - begin) * point / points) for point in range(points + 1)]
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def _node(node: Node) -> str:
    radius = "" if node.radius is None else f' radius="{node.radius:g}"'
    return f'    <node id="{node.name}" x="{node.x:.3f}" y="{node.y:.3f}" type="{node.type}"{radius}/>\n'


def _edge(edge: Edge) -> str:
    words = {"id": edge.name, "from": edge.origin, "to": edge.target, "numLanes": str(edge.lanes)}
    words |= {"speed": f"{edge.speed:g}", "priority": str(edge.priority), "spreadType": edge.spread}
    if edge.shape:
        words["shape"] = " ".join(f"{x:.3f},{y:.3f}" for x, y in edge.shape)
    if edge.length is not None:
        words["length"] = f"{edge.length:.3f}"
    closed = "".join(f'<lane index="{lane}" disallow="all"/>' for lane in range(edge.closed))
    return f"    <edge {_attributes(words)}>{closed}</edge>\n"


def _connection(one: Connection) -> str:
    words = {"from": one.origin, "to": one.target, "fromLane": str(one.lane), "toLane": str(one.onto)}
    if one.length is not None:
        words |= {"length": one.length, "keepClear": "false"}
    return f"    <connection {_attributes(words)}/>\n"


def _attributes(words: dict[str, str]) -> str:
    return " ".join(f"{key}={quoteattr(value)}" for key, value in words.items())


def _file(root: str, lines: Iterable[str]) -> str:
    return f"<{root}>\n{''.join(lines)}</{root}>\n"
