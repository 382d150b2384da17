"""Scenarios by name, and whatever else stands for a scenario."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from typing import Any

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.names import resolve
from sumo_gymnasium.scenarios.arterial import arterial
from sumo_gymnasium.scenarios.bottleneck import bottleneck
from sumo_gymnasium.scenarios.buses import buses
from sumo_gymnasium.scenarios.city import city
from sumo_gymnasium.scenarios.crossing import crossing, five_way, t_junction
from sumo_gymnasium.scenarios.demand import RandomDemand
from sumo_gymnasium.scenarios.figure_eight import figure_eight
from sumo_gymnasium.scenarios.grid import grid
from sumo_gymnasium.scenarios.highway import highway
from sumo_gymnasium.scenarios.highway_ramps import highway_ramps
from sumo_gymnasium.scenarios.incident import Incident, incident, with_incident
from sumo_gymnasium.scenarios.intersection import DEMANDS, intersection
from sumo_gymnasium.scenarios.merge import merge
from sumo_gymnasium.scenarios.pedestrians import pedestrians
from sumo_gymnasium.scenarios.resco import MAPS, resco
from sumo_gymnasium.scenarios.ring import ring
from sumo_gymnasium.scenarios.roundabout import roundabout
from sumo_gymnasium.scenarios.scenario import Scenario, from_mapping
from sumo_gymnasium.scenarios.sumocfg import read_sumocfg

Factory = Callable[..., Scenario]
ScenarioLike = str | PathLike[str] | Mapping[str, Any] | Scenario

SCENARIOS: dict[str, Factory] = {
    "grid": grid,
    "arterial": arterial,
    "city": city,
    "pedestrians": pedestrians,
    "buses": buses,
    "incident": incident,
    "ring": ring,
    "figure_eight": figure_eight,
    "merge": merge,
    "bottleneck": bottleneck,
    "highway": highway,
    "highway_ramps": highway_ramps,
    "crossing": crossing,
    "t_junction": t_junction,
    "five_way": five_way,
    "roundabout": roundabout,
    **{f"intersection-{demand}": partial(intersection, demand) for demand in DEMANDS},
    **{f"resco-{map_}": partial(resco, map_) for map_ in MAPS},
}


def scenario_of(given: ScenarioLike, begin: float | None = None, end: float | None = None) -> Scenario:
    """The scenario that `given` stands for.

    Args:
        given: a registered name, "package.module:object" (a Scenario, or a function that makes one), the path of a
            .sumocfg, a mapping `{net_file, route_files, additional_files, begin, end, demand, incident}` (the last two
            being mappings of arguments of `RandomDemand` and `Incident`), a mapping `{name, …}` whose other items go to
            the named scenario's function, or a Scenario.
        begin: s, in place of the scenario's.
        end: s, in place of the scenario's.

    Raises:
        ScenarioError: nothing that can be simulated.
    """
    found = _scenario(given)
    return replace(found, begin=found.begin if begin is None else begin, end=found.end if end is None else end)


def _scenario(given: ScenarioLike) -> Scenario:
    if isinstance(given, Scenario):
        return given
    if isinstance(given, Mapping):
        if "name" in given and "net_file" not in given:
            return _named(given["name"], {key: value for key, value in given.items() if key != "name"})
        return _of_files(given)
    if not isinstance(given, str | PathLike):
        raise ScenarioError(f"scenario={given!r}: expected a name, a path of a .sumocfg, a mapping or a Scenario")
    path = fspath(given)
    if path.endswith((".sumocfg", ".sumocfg.gz", ".xml", ".cfg")):
        return read_sumocfg(path)
    return _named(path, {})


def _of_files(given: Mapping[str, Any]) -> Scenario:
    found = from_mapping({key: value for key, value in given.items() if key not in ("demand", "incident")})
    if "demand" in given:
        demand = RandomDemand.of(given["demand"])
        demand.check(found.net_file)
        found = replace(found, variation=demand)
    return with_incident(found, Incident.of(given["incident"])) if "incident" in given else found


def _named(name: str, arguments: Mapping[str, Any]) -> Scenario:
    try:
        found: Any = resolve("scenario", SCENARIOS, name, needs=())
        made = found(**arguments) if callable(found) else found
    except (ValueError, TypeError) as error:
        if isinstance(error, ScenarioError):
            raise
        raise ScenarioError(f"{error}; or give the path of a .sumocfg") from error
    if not isinstance(made, Scenario):
        raise ScenarioError(f"scenario {name!r} is {made!r}; expected a Scenario, or a function that makes one")
    return made
