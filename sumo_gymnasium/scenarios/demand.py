"""Demand drawn anew in each episode: vehicles with their routes, and people on foot."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.names import unknown
from sumo_gymnasium.scenarios.ranges import Range, bounds, draw, number
from sumo_gymnasium.scenarios.roads import TASTES, Roads, Weights, read_roads
from sumo_gymnasium.scenarios.scenario import SCALE, Scenario

PART = 900.0  # s for which one factor of a profile holds
PROFILES: Mapping[str, tuple[float, ...]] = {
    "constant": (1.0,),
    "peak": (0.7, 1.0, 1.3, 1.0),
    "rising": (0.6, 0.9, 1.1, 1.4),
    "falling": (1.4, 1.1, 0.9, 0.6),
}
ARRIVALS = ("poisson", "fixed")
CLASSES = ("passenger", "truck")
TYPES = """\
    <vType id="drawn_car" vClass="passenger"/>
    <vType id="drawn_truck" vClass="truck"/>
"""
TRIES = 100  # draws of two ends of a drive, after which the network is given up

Profile = str | tuple[float, ...] | tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class RandomDemand:
    """Vehicles between random edges, each on a fast way, and pedestrians between random sidewalks: a `Variation`.

    They come besides the scenario's own route files, which a changed `demand_scale` leaves as they are. Options of
    reset: `demand_scale` and `profile`.

    Attributes:
        flow: vehicles an hour in the whole network, before the factors below.
        walks: pedestrians that set out, an hour, before the same factors; they need sidewalks.
        arrivals: "poisson": at random times; "fixed": all with the same time headway.
        profile: how the demand changes: a name of PROFILES, or factors that hold 900 s each, again and again; of
            several names one is drawn in each episode.
        demand_scale: a factor, or (low, high) to draw it from.
        fringe: the share of ends of drives that lie at the fringe of the network; the others lie at any edge, by its
            length and lanes. Without a fringe, all do.
        weights: by edge of the fringe, how often a drive begins or ends there rather than at another; 1 if not given.
        trucks: their share of the vehicles.
    """

    flow: float = 1000.0
    walks: float = 0.0
    arrivals: str = "poisson"
    profile: Profile = "constant"
    demand_scale: Range = 1.0
    fringe: float = 1.0
    weights: Mapping[str, float] | Weights = ()
    trucks: float = 0.05

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        for name, most in (("flow", 1e6), ("walks", 1e6), ("fringe", 1.0), ("trucks", 1.0)):
            set_field(self, name, number(name, getattr(self, name), most=most))
        if self.arrivals not in ARRIVALS:
            raise ScenarioError(unknown("arrivals", str(self.arrivals), dict.fromkeys(ARRIVALS)))
        set_field(self, "profile", profile_of(self.profile))
        set_field(self, "weights", _weights(self.weights))
        set_field(self, SCALE, bounds(SCALE, self.demand_scale, most=1000.0))

    @classmethod
    def of(cls, given: Mapping[str, Any], **defaults: Any) -> "RandomDemand":
        """From `{"flow": …, …}`, over `defaults`.

        Raises:
            ScenarioError: a key that there is not, or a value that cannot be.
        """
        if not isinstance(given, Mapping):
            raise ScenarioError(f"demand={given!r}: expected a mapping, e.g. {{'flow': 1000}}")
        known = [field.name for field in fields(cls)]
        for name in given:
            if name not in known:
                raise ScenarioError(unknown("argument of the demand", str(name), dict.fromkeys(known)))
        return cls(**{**defaults, **given})

    @property
    def options(self) -> tuple[str, ...]:
        """Of reset."""
        return (SCALE, "profile")

    def check(self, net_file: str) -> None:
        """Make sure that such demand can be on this network.

        Raises:
            ScenarioError: nobody can drive, or walk, from one edge to another.
        """
        roads = self._roads(net_file)
        for edge, _ in self._weights:
            if edge not in roads.entries + roads.exits:
                fringe = dict.fromkeys(roads.entries + roads.exits)
                raise ScenarioError(f"{net_file}: {unknown('edge at the fringe', edge, fringe)}")
        if self.flow and not any(_ends(roads, edge, fringe=False) for edge in roads.roads):
            raise ScenarioError(f"{net_file}: there are no two edges for a demand of cars and trucks to drive between")
        if self.walks and len(roads.sidewalks) < 2:
            raise ScenarioError(
                f"{net_file}: walks={self.walks:g}, but it has no sidewalks; build it with --sidewalks.guess and "
                "--crossings.guess"
            )

    def __call__(
        self, scenario: Scenario, random: np.random.Generator, folder: str, options: Mapping[str, Any], /
    ) -> Scenario:
        """See `Variation`. SUMO's own scaling is set to 1, since the demand is drawn with it."""
        general, driving, walking = random.spawn(3)
        drawn = draw(self.demand_scale, general)
        scale = scenario.scale * (1.0 if SCALE in options else drawn)  # the option is in the scenario's already
        profile = factors(options.get("profile", self.profile), general)
        roads = self._roads(scenario.net_file)
        files = []
        for name, flow, chance in (("vehicles", self.flow, driving), ("walks", self.walks, walking)):
            if flow:
                times = departures(chance, flow * scale, profile, scenario.begin, scenario.last, self.arrivals)
                lines = self._vehicles(roads, times, chance) if name == "vehicles" else _walks(roads, times, chance)
                files.append(_write(Path(folder) / f"drawn-{name}.rou.xml", lines))
        return replace(scenario, route_files=(*scenario.route_files, *files), scale=1.0)

    @property
    def _weights(self) -> Weights:
        return cast(Weights, self.weights)  # since __post_init__

    def _roads(self, net_file: str) -> Roads:
        return read_roads(net_file, CLASSES if self.trucks else CLASSES[:1])

    def _vehicles(self, roads: Roads, times: Sequence[float], random: np.random.Generator) -> Iterator[str]:
        yield TYPES
        for count, time in enumerate(times):
            path = self._path(roads, random)
            kind = "drawn_truck" if random.random() < self.trucks else "drawn_car"
            yield (
                f'    <vehicle id="drawn{count}" type="{kind}" depart="{time:.2f}" departLane="best" departSpeed="max">'
                f'<route edges="{" ".join(path)}"/></vehicle>\n'
            )

    def _path(self, roads: Roads, random: np.random.Generator) -> tuple[str, ...]:
        for _ in range(TRIES):
            from_fringe, to_fringe = random.random(2) < self.fringe
            origin = roads.origins(bool(from_fringe), self._weights).draw(random)
            ends = roads.destinations(origin, bool(to_fringe), self._weights)
            if ends.edges:
                return roads.path(origin, ends.draw(random), int(random.integers(TASTES)))
        raise ScenarioError(f"{TRIES} drives were drawn, of which none can be driven; is the network connected?")


def profile_of(given: Any) -> Profile:
    """A checked profile: a name, factors, or names to draw one of.

    Raises:
        ScenarioError: it is none of these.
    """
    if isinstance(given, str):
        if given not in PROFILES:
            raise ScenarioError(unknown("profile", given, PROFILES))
        return given
    if not isinstance(given, Sequence) or not given:
        raise ScenarioError(f"profile={given!r}: expected one of {', '.join(PROFILES)}, or factors like (0.7, 1.3)")
    if all(isinstance(part, str) for part in given):
        return tuple(str(profile_of(part)) for part in given)
    return tuple(number("profile", part, most=1000.0) for part in given)


def factors(given: Any, random: np.random.Generator) -> tuple[float, ...]:
    """The factors of a profile; as much chance is used up whatever is given."""
    profile = profile_of(given)
    place = random.random()
    if isinstance(profile, str):
        return PROFILES[profile]
    chosen = profile[int(place * len(profile))]
    return PROFILES[chosen] if isinstance(chosen, str) else tuple(float(part) for part in profile)


def departures(
    random: np.random.Generator, flow: float, profile: Sequence[float], begin: float, end: float, arrivals: str
) -> list[float]:
    """Sorted times from `begin` to `end`, at `flow` an hour times the profile's factors, in s.

    "poisson": given their number, the times of a Poisson process are independent and uniform in the running sum of the
    rate (Kingman 1993, sections 2.1 and 2.4). "fixed": equal steps of that sum, the first one random.
    """
    count = int(np.ceil((end - begin) / PART))
    edges = np.minimum(begin + PART * np.arange(count + 1), end)
    rates = flow / 3600 * np.resize(np.asarray(profile, dtype=float), count)  # veh/s
    expected = np.concatenate([[0.0], np.cumsum(rates * np.diff(edges))])
    if arrivals == "poisson":
        marks = np.sort(random.random(random.poisson(expected[-1])) * expected[-1])
    else:
        marks = np.arange(random.random(), expected[-1], 1.0)
    times = np.interp(marks, expected, edges)
    return [float(time) for time in np.floor(times * 100) / 100]  # as it is written; so none is at the end


def _weights(given: Any) -> Weights:
    try:
        pairs = dict(given).items()
    except (TypeError, ValueError) as error:
        raise ScenarioError(f"weights={given!r}: expected a mapping from edges to weights") from error
    return tuple((str(edge), number(f"weight of {edge!r}", weight)) for edge, weight in pairs)


def _ends(roads: Roads, origin: str, fringe: bool) -> tuple[str, ...]:
    return roads.destinations(origin, fringe).edges


def _walks(roads: Roads, times: Sequence[float], random: np.random.Generator) -> Iterator[str]:
    for count, time in enumerate(times):
        origin, destination = random.choice(len(roads.sidewalks), size=2, replace=False)
        walk = f'<walk from="{roads.sidewalks[origin]}" to="{roads.sidewalks[destination]}"/>'
        yield f'    <person id="walker{count}" depart="{time:.2f}" departPos="random">{walk}</person>\n'


def _write(file: Path, lines: Iterator[str]) -> str:
    file.write_text(f"<routes>\n{''.join(lines)}</routes>\n", encoding="utf-8", newline="\n")
    return str(file)
