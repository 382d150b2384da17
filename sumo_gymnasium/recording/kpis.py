"""The key figures of an episode, from SUMO's own accounts: its tripinfo and statistics, read after SUMO has ended.

Live getters lose the step in which a vehicle arrives and know no vehicle that waits to be inserted; SUMO's accounts
are exact. Figures of completed trips alone reward gridlock, so each is given for three populations as well.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import fsum
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.parsers import expat

from sumo_gymnasium.backends.options import STATISTICS, TRIPINFO
from sumo_gymnasium.errors import SimulationCrashed

ATTRIBUTES = (  # of a row of the tripinfo
    *("depart", "departDelay", "arrival", "duration", "waitingTime", "waitingCount", "timeLoss", "routeLength"),
    "vaporized",
)
GRIDLOCK_TIME = 300.0  # s; SUMO's own default of --time-to-teleport
HALF_DIGIT = 0.005  # s; SUMO writes times with two digits
MG_PER_G = 1000.0


@dataclass(frozen=True, kw_only=True)
class Population:
    """Means over a group of vehicles; all are 0.0 if there is none (look at `vehicles`).

    Attributes:
        vehicles: how many.
        delay: time_loss + depart_delay, s.
        travel_time: SUMO's duration: s inside the network; 0 for a vehicle that was never inserted.
        waiting_time: s slower than 0.1 m/s.
        stops: times it came to a stop (SUMO's waitingCount).
        time_loss: s lost against driving at the speed wished for.
        depart_delay: s between scheduled and real departure; up to the end for a vehicle that was never inserted.
        route_length: m driven.
        co2: g, None without emissions devices.
        fuel: g, None without emissions devices.
    """

    vehicles: int = 0
    delay: float = 0.0
    travel_time: float = 0.0
    waiting_time: float = 0.0
    stops: float = 0.0
    time_loss: float = 0.0
    depart_delay: float = 0.0
    route_length: float = 0.0
    co2: float | None = None
    fuel: float | None = None


@dataclass(frozen=True, kw_only=True)
class Kpis:
    """The key figures of an episode.

    Attributes:
        completed: vehicles that reached their destination (a removed one did not).
        inserted: vehicles that were ever on the road; includes `completed`.
        due: vehicles scheduled to depart from begin to end; includes `inserted`, the waiting and the dropped. SUMO
            makes a flow's vehicles step by step: those due within the last step are not among them.
        throughput: completed vehicles an hour.
        loaded: vehicles that SUMO knows; it reads ahead, so some may be scheduled after the end.
        running: inside the network at the end.
        waiting: due, but not inserted by the end.
        dropped: due, and given up by SUMO before insertion (`max-depart-delay`).
        teleports: vehicles that jumped on, for whatever reason.
        collisions: as counted by SUMO.
        emergency_stops: as counted by SUMO.
        emergency_braking: as counted by SUMO.
        gridlock: at the end a vehicle inside had waited for GRIDLOCK_TIME altogether, and in the last GRIDLOCK_TIME
            nobody had completed.
        begin: the simulated second at which the episode began.
        end: the simulated second at which it ended.
    """

    completed: Population = field(default_factory=Population)
    inserted: Population = field(default_factory=Population)
    due: Population = field(default_factory=Population)
    throughput: float = 0.0
    loaded: int = 0
    running: int = 0
    waiting: int = 0
    dropped: int = 0
    teleports: int = 0
    collisions: int = 0
    emergency_stops: int = 0
    emergency_braking: int = 0
    gridlock: bool = False
    begin: float = 0.0
    end: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """Nested plain dicts of int, float and bool, fit for `info`: what is None is left out."""
        return {name: _plain(value) for name, value in asdict(self).items()}


class Trip(NamedTuple):
    """One vehicle's row of the tripinfo; s, m, and mg of emissions (None: no emissions device)."""

    scheduled: float
    inserted: bool
    completed: bool
    arrival: float
    duration: float
    waiting_time: float
    stops: float
    time_loss: float
    depart_delay: float
    route_length: float
    co2: float | None
    fuel: float | None


def read_kpis(
    folder: str | Path, begin: float, end: float, *, alive: int | None, max_depart_delay: float = 0.0
) -> Kpis:
    """The key figures of the episode whose accounts lie in `folder`; SUMO has ended.

    Args:
        folder: where `command_line` sent TRIPINFO and STATISTICS.
        begin: the simulated second at which the episode began (SUMO's statistics do not know it under libsumo).
        end: the simulated second at which it ended.
        alive: `len(vehicle.getLoadedIDList())` just before the end. SUMO's count of loaded vehicles holds those that it
            read ahead; only with this can they be told from those that it dropped without trace. None: not known;
            dropped vehicles are not counted then.
        max_depart_delay: SUMO's option of that name; a dropped vehicle was delayed by at least this long, s.

    Raises:
        SimulationCrashed: the accounts are missing or incomplete.
    """
    statistics = _statistics(Path(folder) / STATISTICS)
    vehicles = {name: int(count) for name, count in statistics["vehicles"].items()}
    trips = [trip for trip in _trips(Path(folder) / TRIPINFO, end) if trip.scheduled >= begin - HALF_DIGIT]
    completed = [trip for trip in trips if trip.completed]
    inserted = [trip for trip in trips if trip.inserted]
    gone = vehicles["inserted"] - vehicles["running"]
    dropped = 0 if alive is None else max(0, vehicles["loaded"] - gone - alive)
    return Kpis(
        completed=_population(completed),
        inserted=_population(inserted),
        due=_population(trips, dropped, max(0.0, max_depart_delay)),
        throughput=3600.0 * len(completed) / (end - begin) if end > begin else 0.0,
        loaded=vehicles["loaded"],
        running=vehicles["running"],
        waiting=len(trips) - len(inserted),
        dropped=dropped,
        teleports=int(statistics["teleports"]["total"]),
        collisions=int(statistics["safety"]["collisions"]),
        emergency_stops=int(statistics["safety"]["emergencyStops"]),
        emergency_braking=int(statistics["safety"]["emergencyBraking"]),
        gridlock=_gridlock(inserted, end),
        begin=begin,
        end=end,
    )


def _population(trips: Sequence[Trip], dropped: int = 0, dropped_after: float = 0.0) -> Population:
    count = len(trips) + dropped
    if not count:
        return Population()
    drops = dropped * dropped_after
    column = dict(zip(Trip._fields, zip(*trips, strict=True), strict=False))  # no fields where all were dropped

    def total(name: str, *further: float) -> float:
        return fsum((*column.get(name, ()), *further))

    def grams(name: str) -> float | None:
        measured = [amount for amount in column.get(name, ()) if amount is not None]
        return fsum(measured) / count / MG_PER_G if measured else None

    return Population(
        vehicles=count,
        delay=fsum((*column.get("time_loss", ()), *column.get("depart_delay", ()), drops)) / count,
        travel_time=total("duration") / count,
        waiting_time=total("waiting_time") / count,
        stops=total("stops") / count,
        time_loss=total("time_loss") / count,
        depart_delay=total("depart_delay", drops) / count,
        route_length=total("route_length") / count,
        co2=grams("co2"),
        fuel=grams("fuel"),
    )


def _gridlock(inserted: Sequence[Trip], end: float) -> bool:
    stuck = any(trip.arrival < 0 and trip.waiting_time >= GRIDLOCK_TIME for trip in inserted)
    return stuck and not any(trip.completed and trip.arrival > end - GRIDLOCK_TIME for trip in inserted)


def _statistics(path: Path) -> dict[str, Mapping[str, str]]:
    try:
        return {element.tag: element.attrib for element in ElementTree.parse(path).getroot()}
    except (OSError, ElementTree.ParseError) as error:
        raise SimulationCrashed(f"{path}: {error}; expected the statistics of an episode that ended") from error


def _trips(path: Path, end: float) -> list[Trip]:
    rows = _Rows()
    parser = expat.ParserCreate()
    parser.ordered_attributes = True  # half the time of making a dict for each row
    parser.StartElementHandler = rows.start
    try:
        parser.Parse(path.read_bytes(), True)
    except (OSError, expat.ExpatError) as error:
        raise SimulationCrashed(f"{path}: {error}; expected the tripinfo of an episode that ended") from error
    return [_trip(row, emissions, end) for row, emissions in rows.found]


class _Rows:
    """Takes a tripinfo file apart while it is parsed: the values of each vehicle, and of its emissions."""

    def __init__(self) -> None:
        self.found: list[tuple[Sequence[str], Sequence[str] | None]] = []
        self._names: list[str] = []
        self._values: Callable[[list[str]], Sequence[str]] = tuple

    def start(self, tag: str, attributes: list[str]) -> None:
        """A vehicle's row, or the emissions within; persons are passed over."""
        if tag == "tripinfo":
            self.found.append((self._picked(attributes), None))
        elif tag == "emissions":
            values = dict(zip(attributes[::2], attributes[1::2], strict=True))
            self.found[-1] = (self.found[-1][0], (values["CO2_abs"], values["fuel_abs"]))

    def _picked(self, attributes: list[str]) -> Sequence[str]:
        """The values of ATTRIBUTES; where they stand is looked up once, since the rows of a file are alike."""
        if attributes[::2] != self._names:
            self._names = attributes[::2]
            self._values = itemgetter(*(2 * self._names.index(name) + 1 for name in ATTRIBUTES))
        return self._values(attributes)


def _trip(row: Sequence[str], emissions: Sequence[str] | None, end: float) -> Trip:
    *numbers, vaporized = row
    depart, depart_delay, arrival, duration, waiting_time, stops, time_loss, route_length = map(float, numbers)
    co2, fuel = map(float, emissions) if emissions else (None, None)
    inserted = depart >= 0
    scheduled = (depart if inserted else end) - depart_delay
    completed = arrival >= 0 and not vaporized
    durations = duration, waiting_time, stops, time_loss, depart_delay
    return Trip(scheduled, inserted, completed, arrival, *durations, route_length, co2, fuel)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items() if inner is not None}
    return value
