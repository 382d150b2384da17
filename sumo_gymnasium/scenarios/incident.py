"""An incident: a vehicle breaks down and blocks its lane until it is towed away."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.names import unknown
from sumo_gymnasium.scenarios.arterial import arterial
from sumo_gymnasium.scenarios.demand import CLASSES
from sumo_gymnasium.scenarios.ranges import Range, bounds, draw, number
from sumo_gymnasium.scenarios.roads import read_roads
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.variations import Together

SHORTEST = 60.0  # m, of a road on which one breaks down
LENGTH = 12.0  # m: too long to be passed in the same lane
FLOW = 2400.0  # veh/h
OPTION = "incident"
VEHICLE = "incident"


@dataclass(frozen=True, kw_only=True)
class Incident:
    """A lane is blocked for a time: a `Variation`. Reset's option `incident` is a mapping like this, or None: nothing.

    Between signals this costs little, since the signals let less through than one lane takes; so by default the vehicle
    stands where cars queue, and the lane's share of the green is lost.

    Attributes:
        lane: which; it must have another one beside it. None: one is drawn of those that lead only where another one of
            the same road also does, so that nobody is cut off.
        begin: when, in s after the scenario's begin, or (low, high) to draw it from.
        duration: s, or (low, high).
        position: where on the lane, as a share of its length, or (low, high).
        probability: of an incident at all.
    """

    lane: str | None = None
    begin: Range = (300.0, 1200.0)
    duration: Range = (600.0, 1500.0)
    position: Range = (0.7, 1.0)
    probability: float = 1.0

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        if self.lane is not None and not isinstance(self.lane, str):
            raise ScenarioError(f"lane={self.lane!r}: expected a lane's id, or None")
        set_field(self, "begin", bounds("begin", self.begin))
        set_field(self, "duration", bounds("duration", self.duration, least=1.0))
        set_field(self, "position", bounds("position", self.position, most=1.0))
        set_field(self, "probability", number("probability", self.probability, most=1.0))

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Incident":
        """From `{"duration": …, …}`.

        Raises:
            ScenarioError: a key that there is not, or a value that cannot be.
        """
        return cls().fixed(given)

    def fixed(self, given: Any) -> "Incident":
        """The same, but for what is `given`; None: none."""
        if given is None:
            return replace(self, probability=0.0)
        if not isinstance(given, Mapping):
            raise ScenarioError(f"incident={given!r}: expected a mapping, e.g. {{'begin': 600}}, or None: no incident")
        known = [field.name for field in fields(self)]
        for name in given:
            if name not in known:
                raise ScenarioError(unknown("argument of the incident", str(name), dict.fromkeys(known)))
        return replace(self, **given)

    @property
    def options(self) -> tuple[str, ...]:
        """Of reset."""
        return (OPTION,)

    def check(self, net_file: str) -> None:
        """Make sure that there is such a lane.

        Raises:
            ScenarioError: there is not.
        """
        if self.lane is None and not lanes_to_spare(net_file):
            raise ScenarioError(f"{net_file}: no road of {SHORTEST:g} m has a lane to spare; give `lane`")
        if self.lane is not None:
            _length(net_file, self.lane)

    def __call__(
        self, scenario: Scenario, random: np.random.Generator, folder: str, options: Mapping[str, Any], /
    ) -> Scenario:
        """See `Variation`."""
        asked = self.fixed(options[OPTION]) if OPTION in options else self
        asked.check(scenario.net_file)
        happens = random.random() < asked.probability
        chance = random.random()
        begin, duration, position = (draw(one, random) for one in (asked.begin, asked.duration, asked.position))
        if not happens:
            return scenario
        lanes = lanes_to_spare(scenario.net_file)
        lane = asked.lane if asked.lane is not None else lanes[int(chance * len(lanes))]
        length = _length(scenario.net_file, lane)
        place = min(max(position * length, LENGTH + 1.0), length - 1.0)
        file = Path(folder) / "incident.rou.xml"
        file.write_text(_broken_down(lane, scenario.begin + begin, duration, place), encoding="utf-8", newline="\n")
        return replace(scenario, route_files=(*scenario.route_files, str(file)))


def lanes_to_spare(net_file: str) -> tuple[str, ...]:
    """Lanes of roads long enough to see the other cars before it, that lead only where another lane also does."""
    roads = read_roads(net_file, CLASSES[:1]).roads.values()
    return tuple(lane for road in roads if road.length >= SHORTEST for lane in road.spare)


def _length(net_file: str, lane: str) -> float:
    roads = read_roads(net_file, CLASSES[:1]).roads.values()
    lengths = {lane: road.length for road in roads if len(road.lanes) > 1 for lane in road.lanes}
    if lane not in lengths:
        raise ScenarioError(f"{net_file}: {unknown('lane that has another one beside it', lane, lengths)}")
    if lengths[lane] < SHORTEST:
        raise ScenarioError(f"lane={lane!r} is {lengths[lane]:g} m long; expected {SHORTEST:g} m or more")
    return lengths[lane]


def with_incident(scenario: Scenario, incident: Incident) -> Scenario:
    """The scenario, in which there now are incidents too.

    Raises:
        ScenarioError: there is no such lane.
    """
    incident.check(scenario.net_file)
    variations = (incident,) if scenario.variation is None else (scenario.variation, incident)
    return replace(scenario, variation=Together(variations))


def incident(
    *,
    lane: str | None = None,
    begin: Range = Incident.begin,
    duration: Range = Incident.duration,
    position: Range = Incident.position,
    probability: float = Incident.probability,
    **of_arterial: Any,
) -> Scenario:
    """The arterial, busier, with a lane blocked for a time: see `Incident`, and `arterial` for other arguments."""
    drawn = Incident(lane=lane, begin=begin, duration=duration, position=position, probability=probability)
    return replace(with_incident(arterial(**{"flow": FLOW, **of_arterial}), drawn), name="incident")


def _broken_down(lane: str, begin: float, duration: float, place: float) -> str:
    """It appears at rest where there is room, and goes to the end of its edge when the time is over."""
    edge, _, index = lane.rpartition("_")
    return (
        "<routes>\n"
        f'    <vType id="{VEHICLE}" vClass="passenger" length="{LENGTH:g}" color="red"/>\n'
        f'    <vehicle id="{VEHICLE}" type="{VEHICLE}" depart="{begin:.2f}" departLane="{index}" '
        f'departPos="{place:.2f}" departSpeed="0">\n'
        f'        <route edges="{edge}"/>\n'
        f'        <stop lane="{lane}" startPos="{place - LENGTH:.2f}" endPos="{place + 0.5:.2f}" '
        f'duration="{duration:.2f}"/>\n'
        "    </vehicle>\n"
        "</routes>\n"
    )
