"""Vehicles that drive round for ever: placed at begin on closed ways, which rerouters keep from ending."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.drivers import Drivers
from sumo_gymnasium.scenarios.ranges import whole
from sumo_gymnasium.scenarios.scenario import Scenario

MOST = 10_000  # vehicles on a loop
ROOM = 6.0  # m from front to front, that a vehicle of 5 m needs to stand
TRIES = 200  # places for the first vehicle
TINY = 1e-6  # m

Way = Sequence[tuple[float, float]]  # of each edge: its length, and that of the way across the node after it, m


@dataclass(frozen=True, kw_only=True)
class Loops:
    """`vehicles` on each of `loops`, equally far apart, all there from begin on, at `speed`: a `Variation`.

    The vehicles are "loop0_0", "loop0_1" and so on, each behind the next one. With several lanes as many drive abreast,
    and all have the same distance to the next one of their lane.

    Attributes:
        loops: the edges of each, in driving direction.
        lanes: of every edge.
        vehicles: on each loop.
        drivers: who drives.
        speed: at begin, m/s.
    """

    loops: tuple[tuple[str, ...], ...]
    lanes: int
    vehicles: int
    drivers: Drivers
    speed: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "vehicles", whole("vehicles", self.vehicles, least=1, most=MOST))
        self.drivers.check(self.vehicles)

    @property
    def options(self) -> tuple[str, ...]:
        """Of reset: `penetration`."""
        return ("penetration",)

    @property
    def rows(self) -> int:
        """How many places there are one behind the other."""
        return -(-self.vehicles // self.lanes)

    def check(self, length: float) -> None:
        """Make sure that the vehicles have room on loops of `length`, m.

        Raises:
            ScenarioError: they have not.
        """
        if self.rows * ROOM > length:
            raise ScenarioError(
                f"vehicles={self.vehicles}: {self.rows} of them one behind the other need {ROOM:g} m each, a loop has "
                f"{length:g} m; expected fewer vehicles, or more lanes or length"
            )

    def __call__(
        self, scenario: Scenario, random: np.random.Generator, folder: str, options: Mapping[str, Any], /
    ) -> Scenario:
        """See `Variation`."""
        if scenario.scale != 1.0:
            raise ScenarioError(
                f"demand_scale={scenario.scale:g}: the vehicles of {scenario.name!r} are there from the start; give "
                "`vehicles` in the scenario's arguments"
            )
        types = self.drivers.mixed([self.vehicles] * len(self.loops), random, options)
        again, routes = Path(folder) / "loops.add.xml", Path(folder) / "loops.rou.xml"
        again.write_text(f"<additional>\n{''.join(map(_endless, self.loops))}</additional>\n", "utf-8", newline="\n")
        lengths = ways(scenario.net_file, self.loops)
        lines = [
            self._lines(loop, one, own, scenario.begin)
            for loop, (one, own) in enumerate(zip(lengths, types, strict=True))
        ]
        routes.write_text(f"<routes>\n{self.drivers.lines()}{''.join(lines)}</routes>\n", "utf-8", newline="\n")
        return replace(
            scenario,
            route_files=(*scenario.route_files, str(routes)),
            additional_files=(*scenario.additional_files, str(again)),
        )

    def _lines(self, loop: int, lengths: Way, types: Sequence[str], begin: float) -> str:
        edges, places = self.loops[loop], places_on(lengths, self.rows)
        return "".join(
            _vehicle(f"loop{loop}_{count}", kind, begin, count % self.lanes, self.speed)
            + _place(edges, *places[count // self.lanes])
            for count, kind in enumerate(types)
        )


def ways(net_file: str, loops: Sequence[Sequence[str]]) -> list[Way]:
    """The way along each loop of edges, on the rightmost lanes.

    Raises:
        ScenarioError: an edge does not lead to the next one.
    """
    net = ElementTree.parse(net_file).getroot()
    lengths = {lane.get("id", ""): float(lane.get("length", "0")) for lane in net.iterfind("edge/lane")}
    over = {(one.get("from", ""), one.get("to", "")): one.get("via", "") for one in net.iterfind("connection")}
    after = {f"{one.get('from')}_{one.get('fromLane')}": one.get("via", "") for one in net.iterfind("connection")}
    found = list[Way]()
    for edges in loops:
        pairs = list(zip(edges, (*edges[1:], edges[0]), strict=True))
        for edge, following in pairs:
            if (edge, following) not in over:
                raise ScenarioError(f"{net_file}: edge {edge!r} does not lead to {following!r}")
        found.append([(lengths[f"{pair[0]}_0"], _across(over[pair], after, lengths)) for pair in pairs])
    return found


def _across(lane: str, after: Mapping[str, str], lengths: Mapping[str, float]) -> float:
    """The length of the way across a node that begins with `lane`."""
    length = 0.0
    while lane:
        length, lane = length + lengths[lane], after.get(lane, "")
    return length


def places_on(lengths: Way, count: int) -> list[tuple[int, float]]:
    """`count` places equally far apart: which edge of a loop, and the metres from its begin.

    The first place is the first one with which none lies in a node, where no vehicle can be inserted.

    Raises:
        ScenarioError: some always do.
    """
    spacing = sum(map(sum, lengths)) / count
    for first in np.linspace(0.0, spacing, TRIES, endpoint=False):
        found = [_edge_at(lengths, float(first) + spacing * place) for place in range(count)]
        if all(x <= lengths[edge][0] for edge, x in found):
            return found
    raise ScenarioError(f"{count} vehicles cannot stand equally far apart without one in a node; expected fewer")


def _edge_at(lengths: Way, x: float) -> tuple[int, float]:
    edge = 0
    while x > sum(lengths[edge]) - TINY:
        x -= sum(lengths[edge])
        edge += 1
    return edge, max(x, 0.0)


def _place(edges: Sequence[str], edge: int, x: float) -> str:
    route = " ".join(_closed(edges, edge))
    return f'departPos="{x:.9f}"><route edges="{route}"/></vehicle>\n'


def _vehicle(name: str, kind: str, begin: float, lane: int, speed: float) -> str:
    return (
        f'    <vehicle id="{name}" type="{kind}" depart="{begin:.2f}" departLane="{lane}" departSpeed="{speed:g}" '
        'insertionChecks="none" '
    )


def _endless(edges: Sequence[str]) -> str:
    """On each edge the route begins anew, so that it never gets longer than a lap and a bit."""
    lines = []
    for place, edge in enumerate(edges):
        lines.append(f'    <route id="from_{edge}" edges="{" ".join(_closed(edges, place))}"/>\n')
        lines.append(
            f'    <rerouter id="on_{edge}" edges="{edge}"><interval begin="0" end="1e9">'
            f'<routeProbReroute id="from_{edge}"/></interval></rerouter>\n'
        )
    return "".join(lines)


def _closed(edges: Sequence[str], place: int) -> tuple[str, ...]:
    """A lap that begins and ends on the same edge."""
    return (*edges[place:], *edges[: place + 1])
