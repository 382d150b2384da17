"""The arterial with buses: lines with stops, timetables that are not quite kept, and people who wait and ride."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sumo_gymnasium.scenarios.arterial import STREETS, arterial
from sumo_gymnasium.scenarios.demand import departures
from sumo_gymnasium.scenarios.ranges import number
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.variations import Together

STOP = (25.0, 55.0)  # m from an edge's begin: behind the crossing, where a bus in its lane holds up fewest
DWELL = 15.0  # s at each stop
CAPACITY = 70  # persons a bus
FLOW = 1600.0  # veh/h of other traffic


class Line(NamedTuple):
    """A bus line: its edges from first to last, and those of them that have a stop."""

    name: str
    edges: tuple[str, ...]
    stops: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Buses:
    """Buses of `lines` and their passengers: a `Variation`. `demand_scale` leaves them as they are.

    Attributes:
        lines: each has stops of its own.
        headway: s from one bus of a line to the next.
        late: each bus comes up to so many s later than its timetable says.
        passengers: persons an hour who wait at a stop of any line, for a ride to a later one.
    """

    lines: tuple[Line, ...]
    headway: float = 300.0
    late: float = 60.0
    passengers: float = 300.0

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "headway", number("headway", self.headway, least=10.0))
        set_field(self, "late", number("late", self.late, most=self.headway))
        set_field(self, "passengers", number("passengers", self.passengers))

    @property
    def options(self) -> tuple[str, ...]:
        """None."""
        return ()

    def __call__(
        self, scenario: Scenario, random: np.random.Generator, folder: str, options: Mapping[str, Any], /
    ) -> Scenario:
        """See `Variation`."""
        driving, waiting = random.spawn(2)
        stops = Path(folder) / "stops.add.xml"
        _write(stops, "additional", (_stop(line, place) for line in self.lines for place in range(len(line.stops))))
        buses = Path(folder) / "drawn-buses.rou.xml"
        _write(buses, "routes", [_type(), *self._buses(scenario, driving)])
        passengers = Path(folder) / "drawn-passengers.rou.xml"
        times = departures(waiting, self.passengers, (1.0,), scenario.begin, scenario.last, "poisson")
        _write(passengers, "routes", self._passengers(times, waiting))
        return replace(
            scenario,
            route_files=(*scenario.route_files, str(buses), str(passengers)),
            additional_files=(*scenario.additional_files, str(stops)),
        )

    def _buses(self, scenario: Scenario, random: np.random.Generator) -> list[str]:
        """Lines that are spread over the headway, sorted by departure."""
        found = []
        for place, line in enumerate(self.lines):
            first = scenario.begin + self.headway * place / len(self.lines)
            for count, due in enumerate(np.arange(first, scenario.last, self.headway)):
                depart = float(due + self.late * random.random())
                found.append((depart, _bus(line, count, depart)))
        return [bus for _, bus in sorted(found)]

    def _passengers(self, times: Sequence[float], random: np.random.Generator) -> Iterator[str]:
        for count, time in enumerate(times):
            line = self.lines[int(random.integers(len(self.lines)))]
            here, there = sorted(random.choice(len(line.stops), size=2, replace=False))
            yield (
                f'    <person id="passenger{count}" depart="{time:.2f}">'
                f'<stop busStop="{line.name}{here}" duration="0"/>'
                f'<ride busStop="{line.name}{there}" lines="{line.name}"/></person>\n'
            )


def buses(
    *, headway: float = 300.0, late: float = 60.0, passengers: float = 300.0, wave: str = "east", **demand: Any
) -> Scenario:
    """The arterial with a bus line "east" and a line "west", which stop behind every signal.

    Args:
        headway: s from one bus of a line to the next.
        late: each bus comes up to so many s later than its timetable says.
        passengers: persons an hour who wait at a stop of either line, for a ride to a later one.
        wave: see `arterial`.
        **demand: of the other traffic: see `RandomDemand`.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    found = arterial(wave=wave, **{"flow": FLOW, **demand})
    drawn = Buses(lines=_lines(), headway=headway, late=late, passengers=passengers)
    assert found.variation is not None
    return replace(found, name="buses", variation=Together((found.variation, drawn)))


def _lines() -> tuple[Line, ...]:
    """Along the arterial and back; there are stops on every edge that leads on from a signal."""
    (row,) = STREETS.names
    east = [f"{row[0]}_west", *row, f"{row[-1]}_east"]
    found = []
    for name, way in (("east", east), ("west", east[::-1])):
        edges = tuple(f"{one}_{other}" for one, other in pairwise(way))
        found.append(Line(name, edges, edges[1:]))
    return tuple(found)


def _type() -> str:
    return f'    <vType id="drawn_bus" vClass="bus" personCapacity="{CAPACITY}"/>\n'


def _bus(line: Line, count: int, depart: float) -> str:
    stops = "".join(f'<stop busStop="{line.name}{place}" duration="{DWELL:g}"/>' for place in range(len(line.stops)))
    return (
        f'    <vehicle id="{line.name}_bus{count}" type="drawn_bus" line="{line.name}" depart="{depart:.2f}" '
        f'departSpeed="max"><route edges="{" ".join(line.edges)}"/>{stops}</vehicle>\n'
    )


def _stop(line: Line, place: int) -> str:
    begin, end = STOP
    where = f'lane="{line.stops[place]}_0" startPos="{begin:g}" endPos="{end:g}"'
    return f'    <busStop id="{line.name}{place}" {where} lines="{line.name}"/>\n'


def _write(file: Path, root: str, lines: Iterable[str]) -> None:
    file.write_text(f"<{root}>\n{''.join(lines)}</{root}>\n", encoding="utf-8", newline="\n")
