"""What the scenarios for vehicles have in common: arguments for drivers and inflows, and how they are simulated."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.names import unknown
from sumo_gymnasium.scenarios.drivers import Drivers
from sumo_gymnasium.scenarios.generate import converted
from sumo_gymnasium.scenarios.inflows import Inflow, Inflows
from sumo_gymnasium.scenarios.plain import Connection, Edge, Node, plain
from sumo_gymnasium.scenarios.scenario import Scenario

STEP_LENGTH = 0.1  # s
END = 3600.0  # s
PENETRATION = 0.1
ARRIVING = ("arrivals", "depart_speed")
OPTIONS = ("--no-turnarounds", "--offset.disable-normalization")  # of netconvert


def drivers_of(given: Mapping[str, Any], **defaults: Any) -> Drivers:
    """From `{"driver": …, "types": …, "placement": …, "penetration": …}`, over `defaults`.

    Raises:
        ScenarioError: a key that there is not, or a value that cannot be.
    """
    known = [field.name for field in fields(Drivers)]
    _check(given, known)
    return Drivers(**{**defaults, **given})


def open_scenario(
    name: str,
    net_file: str,
    inflows: Sequence[Inflow],
    amounts: Mapping[str, Any],
    given: Mapping[str, Any],
    driver: str = "Krauss",
) -> Scenario:
    """A scenario into which vehicles come.

    Args:
        name: of the scenario.
        net_file: its network.
        inflows: where they come in.
        amounts: see `Inflows`.
        given: the user's other arguments: `arrivals` and `depart_speed` of `Inflows`, and those of `Drivers`; one in
            ten is an agent if nothing else is said.
        driver: how all drive, unless `given` says.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    _check(given, [*(field.name for field in fields(Drivers)), *ARRIVING])
    arriving = {key: value for key, value in given.items() if key in ARRIVING}
    driving = {key: value for key, value in given.items() if key not in ARRIVING}
    drivers = drivers_of(driving, driver=driver, penetration=PENETRATION)
    drawn = Inflows(inflows=tuple(inflows), amounts=amounts, drivers=drivers, **arriving)
    drawn.check(net_file)
    return Scenario(net_file=net_file, end=END, step_length=STEP_LENGTH, name=name, variation=drawn)


def built(
    name: str,
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    connections: Sequence[Connection] | None,
    programs: str | None = None,
) -> str:
    """The path of the network, made once and kept. Connections and the `programs` of signals are guessed if None."""
    texts = plain(nodes, edges, connections)
    return converted(name, texts if programs is None else {**texts, "tllogics": programs}, OPTIONS)


def _check(given: Mapping[str, Any], known: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            raise ScenarioError(unknown("argument of the scenario", str(name), dict.fromkeys(known)))
