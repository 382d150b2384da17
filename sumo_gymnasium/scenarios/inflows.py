"""Vehicles of several types that come in at the ends of a network and drive on given routes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.names import unknown
from sumo_gymnasium.scenarios.demand import ARRIVALS, departures
from sumo_gymnasium.scenarios.drivers import Drivers
from sumo_gymnasium.scenarios.net import read_net
from sumo_gymnasium.scenarios.ranges import Range, bounds, draw, number
from sumo_gymnasium.scenarios.scenario import SCALE, Scenario

MOST = 100_000.0  # veh/h

Amounts = tuple[tuple[str, Range], ...]


class Inflow(NamedTuple):
    """Where vehicles come in.

    Attributes:
        name: their ids are this and a number.
        amount: which of the amounts it has.
        routes: the edges of each.
        shares: of the routes.
    """

    name: str
    amount: str
    routes: tuple[tuple[str, ...], ...]
    shares: tuple[float, ...] = (1.0,)


@dataclass(frozen=True, kw_only=True)
class Inflows:
    """Vehicles that come in from begin to end: a `Variation`.

    Attributes:
        inflows: where.
        amounts: by name, vehicles an hour in each inflow of this amount, or (low, high) to draw them from.
        drivers: who drives; each inflow is mixed for itself.
        arrivals: "poisson": at random times; "fixed": all with the same time headway.
        depart_speed: m/s; None: that of the traffic on its lane, or its own on a free one.
    """

    inflows: tuple[Inflow, ...]
    amounts: Mapping[str, Any] | Amounts
    drivers: Drivers
    arrivals: str = "poisson"
    depart_speed: float | None = None

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        checked = {name: bounds(name, given, most=MOST) for name, given in dict(self.amounts).items()}
        set_field(self, "amounts", tuple(checked.items()))
        if self.arrivals not in ARRIVALS:
            raise ScenarioError(unknown("arrivals", str(self.arrivals), dict.fromkeys(ARRIVALS)))
        if self.depart_speed is not None:
            set_field(self, "depart_speed", number("depart_speed", self.depart_speed, most=100.0))

    @property
    def options(self) -> tuple[str, ...]:
        """Of reset: the amounts' names, `penetration` and `demand_scale`."""
        return (SCALE, "penetration", *(name for name, _ in self._amounts))

    def check(self, net_file: str) -> None:
        """Make sure that vehicles may be as fast as that where they depart; SUMO would break off at the first.

        Raises:
            ScenarioError: they may not.
        """
        net = read_net(net_file)
        limit = min(net.lanes[lane].speed for one in self.inflows for lane in net.edges[one.routes[0][0]].lanes)
        if self.depart_speed is not None:
            number("depart_speed", self.depart_speed, most=limit)

    def __call__(
        self, scenario: Scenario, random: np.random.Generator, folder: str, options: Mapping[str, Any], /
    ) -> Scenario:
        """See `Variation`. SUMO's own scaling is set to 1, since the vehicles are drawn with it."""
        general, driving, *chances = random.spawn(2 + len(self.inflows))
        flows = {
            name: scenario.scale * draw(bounds(name, options.get(name, given), most=MOST), general)
            for name, given in self._amounts
        }
        times = [
            departures(chance, flows[one.amount], (1.0,), scenario.begin, scenario.last, self.arrivals)
            for one, chance in zip(self.inflows, chances, strict=True)
        ]
        types = self.drivers.coming([len(own) for own in times], driving, options)
        found = [
            line
            for one, own, kinds, chance in zip(self.inflows, times, types, chances, strict=True)
            for line in self._vehicles(one, own, kinds, chance)
        ]
        lines = [line for _, line in sorted(found, key=lambda pair: pair[0])]
        file = Path(folder) / "inflows.rou.xml"
        text = f"<routes>\n{self.drivers.lines()}{self._routes()}{''.join(lines)}</routes>\n"
        file.write_text(text, encoding="utf-8", newline="\n")
        return replace(scenario, route_files=(*scenario.route_files, str(file)), scale=1.0)

    @property
    def _amounts(self) -> Amounts:
        return cast(Amounts, self.amounts)  # since __post_init__

    def _routes(self) -> str:
        return "".join(
            f'    <route id="{one.name}_{place}" edges="{" ".join(edges)}"/>\n'
            for one in self.inflows
            for place, edges in enumerate(one.routes)
        )

    def _vehicles(
        self, inflow: Inflow, times: Sequence[float], types: Iterable[str], random: np.random.Generator
    ) -> list[tuple[float, str]]:
        """With the time at which each departs.

        With departSpeed="max" SUMO inserts whoever has room at whatever speed; of 2000 veh/h by chance, of whom some
        follow close, only 960 then came in (measured with IDM at steps of 0.1 s): the jam at the entry never ended.
        """
        sums = np.cumsum(inflow.shares)
        chosen = np.searchsorted(sums, random.random(len(times)) * sums[-1], side="right")
        speed = "avg" if self.depart_speed is None else f"{self.depart_speed:g}"
        return [
            (
                time,
                f'    <vehicle id="{inflow.name}{count}" type="{kind}" depart="{time:.2f}" departLane="best" '
                f'departSpeed="{speed}" route="{inflow.name}_{route}"/>\n',
            )
            for count, (time, kind, route) in enumerate(zip(times, types, chosen, strict=True))
        ]
