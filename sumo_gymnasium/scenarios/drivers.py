"""Who drives: SUMO's vehicle types of humans and agents, and their shares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

import numpy as np
import sumo

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.names import unknown
from sumo_gymnasium.scenarios.placement import AGENT, HUMAN, MIXED, coming, mixed, platoon
from sumo_gymnasium.scenarios.ranges import Range, bounds, draw

Attributes = Mapping[str, Any]
Types = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]  # by name, SUMO's attributes

ALL: Attributes = {"length": 5, "minGap": 2, "speedFactor": 1, "speedDev": 0, "collisionMinGapFactor": 0}
"""Of every type: all alike; a collision is contact, not a gap below minGap (SUMO's default for some models)."""
DRIVERS: Mapping[str, Attributes] = {
    "IDM": {"carFollowModel": "IDM", "accel": 1, "decel": 1.5, "tau": 1, "delta": 4, "emergencyDecel": 9},
    "EIDM": {"carFollowModel": "EIDM", "accel": 1, "decel": 1.5, "tau": 1, "emergencyDecel": 9},
    "Flow": {"carFollowModel": "IDM", "accel": 2.6, "decel": 4.5, "tau": 1, "minGap": 2.5, "speedDev": 0.1},
    "Krauss": {"carFollowModel": "Krauss", "accel": 2.6, "decel": 4.5, "tau": 1, "sigma": 0.5},
}
"""IDM: Treiber et al. (2000) with the ring's usual a = 1, b = 1.5, without noise. EIDM: the same with SUMO's own noise.
Flow: the IDM of Flow's merge and bottleneck (Wu et al. 2021), which starts faster. Krauss: SUMO's default."""


@dataclass(frozen=True, kw_only=True)
class Drivers:
    """The vehicle types of a scenario, and how they are mixed. Vehicles of type "agent" are meant to become agents.

    Attributes:
        driver: how all drive, if nothing else is said: a name of DRIVERS.
        types: by name, what is different: another name of DRIVERS, or SUMO's vType attributes. There are always "human"
            and "agent"; every other type is like "human" but for its own attributes.
        placement: "even", "random" or a platoon string such as "(agent human*5)*4"; of several one is drawn.
        penetration: the share of type "agent", 0 to 1, or (low, high) to draw it from in each episode.
    """

    driver: str = "IDM"
    types: Mapping[str, str | Attributes] | Types = ()
    placement: str | Sequence[str] = "even"
    penetration: Range = 0.0

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "types", _types(self.driver, self.types))
        set_field(self, "placement", _placements(self.placement, [name for name, _ in self._checked_types]))
        set_field(self, "penetration", bounds("penetration", self.penetration, most=1.0))

    def mixed(
        self, counts: Sequence[int], random: np.random.Generator, options: Mapping[str, Any]
    ) -> list[tuple[str, ...]]:
        """The types of so many vehicles on each loop; `options` may fix the penetration. See `placement.mixed`."""
        placement, penetration = self._drawn(random, options)
        return [mixed(placement, penetration, count, random) for count in counts]

    def coming(
        self, counts: Sequence[int], random: np.random.Generator, options: Mapping[str, Any]
    ) -> list[tuple[str, ...]]:
        """The types of so many vehicles that come in each inflow. See `placement.coming`."""
        placement, penetration = self._drawn(random, options)
        return [coming(placement, penetration, count, random) for count in counts]

    def check(self, count: int) -> None:
        """Make sure that the platoons add up to so many vehicles.

        Raises:
            ScenarioError: they do not.
        """
        for placement in self._placements:
            mixed(placement, 0.0, count, np.random.default_rng(0))

    def lines(self) -> str:
        """SUMO's elements of the types."""
        return "".join(
            f"    <vType id={quoteattr(name)} {' '.join(f'{key}={quoteattr(value)}' for key, value in attributes)}/>\n"
            for name, attributes in self._checked_types
        )

    def _drawn(self, random: np.random.Generator, options: Mapping[str, Any]) -> tuple[str, float]:
        """As much chance is used up whatever is fixed."""
        placement = self._placements[int(random.random() * len(self._placements))]
        given = bounds("penetration", options.get("penetration", self.penetration), most=1.0)
        return placement, draw(given, random)

    @property
    def _checked_types(self) -> Types:
        return cast(Types, self.types)  # since __post_init__

    @property
    def _placements(self) -> tuple[str, ...]:
        return cast(tuple[str, ...], self.placement)  # since __post_init__


def _types(driver: str, given: Any) -> Types:
    try:
        asked = dict(given)
        own = {name: _asked(name, asked.get(name, {})) for name in dict.fromkeys((HUMAN, AGENT, *asked))}
    except (TypeError, ValueError) as error:
        if isinstance(error, ScenarioError):
            raise
        raise ScenarioError(f"types={given!r}: expected a mapping, e.g. {{'human': 'EIDM'}}") from error
    human = {**ALL, **_driver(driver), **own[HUMAN]}
    return tuple((name, _attributes({**human, **attributes})) for name, attributes in own.items())


def _asked(name: str, given: Any) -> Attributes:
    if not isinstance(name, str) or not name:
        raise ScenarioError(f"types: {name!r} is no name of a type; expected a string like 'human'")
    if isinstance(given, str):
        return _driver(given)
    attributes = dict(given)
    for key, value in attributes.items():
        if key not in known_attributes():
            raise ScenarioError(unknown(f"attribute of the type {name!r}", str(key), known_attributes()))
        if not isinstance(value, str | int | float):
            raise ScenarioError(f"types: {key}={value!r} of {name!r}: expected a number or a string")
    return attributes


def _driver(name: str) -> Attributes:
    if not isinstance(name, str) or name not in DRIVERS:
        raise ScenarioError(unknown("driver", str(name), DRIVERS))
    return DRIVERS[name]


def _attributes(attributes: Attributes) -> tuple[tuple[str, str], ...]:
    return tuple((key, value if isinstance(value, str) else f"{value:g}") for key, value in attributes.items())


@cache
def known_attributes() -> Mapping[str, None]:
    """The attributes of a vType, from the schema that comes with SUMO."""
    schema = Path(sumo.SUMO_HOME) / "data" / "xsd" / "types" / "route.xsd"
    space = {"xsd": "http://www.w3.org/2001/XMLSchema"}
    found = ElementTree.parse(schema).findall("xsd:complexType[@name='vTypeBaseType']//xsd:attribute", space)
    return dict.fromkeys(attribute.get("name", "") for attribute in found if attribute.get("name") != "id")


def _placements(given: Any, types: Sequence[str]) -> tuple[str, ...]:
    several = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Sequence) else ()
    if not several or not all(isinstance(one, str) for one in several):
        raise ScenarioError(f"placement={given!r}: expected {MIXED[0]!r}, {MIXED[1]!r}, a platoon string, or several")
    for one in several:
        for name in () if one in MIXED else platoon(one):
            if name not in types:
                raise ScenarioError(f"placement={one!r}: {unknown('type', name, dict.fromkeys(types))}")
    return several
