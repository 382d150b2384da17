"""Rings on which vehicles drive round for ever, as in the experiment of Sugiyama et al. (2008)."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sumo_gymnasium.scenarios.loops import Loops
from sumo_gymnasium.scenarios.plain import JOINT, Edge, Node, arc, straight
from sumo_gymnasium.scenarios.ranges import Range, bounds, draw, number, whole
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.traffic import END, STEP_LENGTH, built, drivers_of

SIDES = ("bottom", "right", "top", "left")  # quarters, anticlockwise
SPACE = 20.0  # m between rings
SHORTEST, LONGEST = 40.0, 100_000.0  # m


@dataclass(frozen=True, kw_only=True)
class Ring:
    """A ring whose length is drawn in each episode, in whole metres, and the vehicles on it: a `Variation`.

    Lanes, edges and nodes are the same at every length; only lengths and shapes differ, and the network file.

    Attributes:
        length: around the ring, m, or (low, high).
        lanes, rings, speed_limit: see `ring`.
        loops: the vehicles.
    """

    length: Range
    lanes: int
    rings: int
    speed_limit: float
    loops: Loops

    @property
    def options(self) -> tuple[str, ...]:
        """Of reset: `length`, and those of `Loops`."""
        return ("length", *self.loops.options)

    def __call__(
        self, scenario: Scenario, random: np.random.Generator, folder: str, options: Mapping[str, Any], /
    ) -> Scenario:
        """See `Variation`."""
        general, placing = random.spawn(2)
        given = _length(options.get("length", self.length))
        length = draw(given, general)
        if isinstance(given, tuple):
            length = min(max(float(round(length)), given[0]), given[1])
        self.loops.check(length)
        net = ring_net(length, self.lanes, self.rings, self.speed_limit)
        rest = {name: options[name] for name in self.loops.options if name in options}
        return self.loops(replace(scenario, net_file=net), placing, folder, rest)


def ring(
    *,
    length: Range = 230.0,
    lanes: int = 1,
    rings: int = 1,
    vehicles: int = 22,
    speed_limit: float = 30.0,
    depart_speed: float = 0.0,
    **drivers: Any,
) -> Scenario:
    """Vehicles equally far apart on each of `rings`.

    Args:
        length: around a ring along any lane, m, nodes included; (low, high): in each episode a whole number is drawn,
            and the scenario's own network has the longest.
        lanes: of each ring.
        rings: how many, on a square lattice; their vehicles never meet.
        vehicles: on each ring.
        speed_limit: m/s.
        depart_speed: of all at begin, m/s.
        **drivers: see `Drivers`; one in `vehicles` is an agent if nothing else is said.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    length = _length(length)
    lanes, rings = whole("lanes", lanes, least=1, most=10), whole("rings", rings, least=1, most=100)
    speed_limit = number("speed_limit", speed_limit, least=1.0, most=100.0)
    vehicles = whole("vehicles", vehicles, least=1, most=10_000)
    loops = Loops(
        loops=tuple(tuple(f"ring{count}_{side}" for side in SIDES) for count in range(rings)),
        lanes=lanes,
        vehicles=vehicles,
        drivers=drivers_of(drivers, penetration=1 / vehicles),
        speed=number("depart_speed", depart_speed, most=speed_limit),
    )
    shortest, longest = length if isinstance(length, tuple) else (length, length)
    loops.check(shortest)
    drawn = Ring(length=length, lanes=lanes, rings=rings, speed_limit=speed_limit, loops=loops)
    net = ring_net(longest, lanes, rings, speed_limit)
    return Scenario(net_file=net, end=END, step_length=STEP_LENGTH, name="ring", variation=drawn)


def ring_net(length: float, lanes: int, rings: int, speed_limit: float) -> str:
    """The network's path."""
    radius = length / (2 * math.pi)
    across = math.ceil(math.sqrt(rings))
    apart = 2 * (radius + 3.2 * lanes) + SPACE
    nodes, edges = list[Node](), list[Edge]()
    for count in range(rings):
        x, y = apart * (count % across), apart * (count // across)
        nodes += _nodes(count, x, y, radius)
        edges += _edges(count, x, y, radius, length / 4 - float(JOINT), lanes, speed_limit)
    pairs = [(edges[place], edges[place - place % 4 + (place + 1) % 4]) for place in range(len(edges))]
    connections = [one for pair in pairs for one in straight(*pair)]
    return built("ring", nodes, edges, connections)


def _nodes(count: int, x: float, y: float, radius: float) -> Iterator[Node]:
    for place, side in enumerate(SIDES):
        at_x, at_y = arc(x, y, radius, 90.0 * place - 90, 90.0 * place - 90, points=1)[0]
        yield Node(f"ring{count}_before_{side}", at_x, at_y)


def _edges(
    count: int, x: float, y: float, radius: float, length: float, lanes: int, speed_limit: float
) -> Iterator[Edge]:
    for place, side in enumerate(SIDES):
        ends = (f"ring{count}_before_{side}", f"ring{count}_before_{SIDES[(place + 1) % 4]}")
        shape = arc(x, y, radius, 90.0 * place - 90, 90.0 * place)
        yield Edge(f"ring{count}_{side}", *ends, lanes, speed_limit, shape=shape, length=length)


def _length(given: Any) -> Range:
    return bounds("length", given, least=SHORTEST, most=LONGEST)
