"""Junctions of three, four or five arms, with or without a signal."""

import math
from collections.abc import Mapping
from typing import Any

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.names import unknown
from sumo_gymnasium.scenarios.inflows import Inflow
from sumo_gymnasium.scenarios.plain import Edge, Node
from sumo_gymnasium.scenarios.ranges import Range, number, whole
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.traffic import built, open_scenario

CONTROLS = ("priority", "right_before_left", "allway_stop", "traffic_light")
CENTER = "center"

Arms = Mapping[str, float]  # by name, the direction in degrees anticlockwise from east

CROSSING: Arms = {"north": 90.0, "east": 0.0, "south": 270.0, "west": 180.0}
T_JUNCTION: Arms = {"east": 0.0, "south": 270.0, "west": 180.0}
FIVE_WAY: Arms = {"east": 0.0, "northeast": 72.0, "northwest": 144.0, "southwest": 216.0, "southeast": 288.0}
MAIN = ("east", "west", "northwest")  # have priority


def crossing(
    *,
    inflow: Range = 400.0,
    control: str = "priority",
    arm: float = 100.0,
    lanes: int = 1,
    speed_limit: float = 13.89,
    **traffic: Any,
) -> Scenario:
    """Four arms: edges "north_in", "north_out", "east_in" and so on. From each arm one drives to all others alike.

    Args:
        inflow: on each arm, veh/h, or (low, high) to draw it from in each episode.
        control: "priority" (from east and west), "right_before_left", "allway_stop", or "traffic_light" (a signal
            "center" with netconvert's plan).
        arm: length, m.
        lanes: of each arm in each direction.
        speed_limit: m/s.
        **traffic: see `Inflows` and `Drivers`.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    net = junction_net("crossing", CROSSING, control, arm, lanes, speed_limit)
    return open_scenario("crossing", net, inflows_of(CROSSING), {"inflow": inflow}, traffic)


def t_junction(
    *,
    inflow: Range = 400.0,
    control: str = "priority",
    arm: float = 100.0,
    lanes: int = 1,
    speed_limit: float = 13.89,
    **traffic: Any,
) -> Scenario:
    """Three arms: "east" and "west", which have priority, and "south". Arguments as of `crossing`."""
    net = junction_net("t_junction", T_JUNCTION, control, arm, lanes, speed_limit)
    return open_scenario("t_junction", net, inflows_of(T_JUNCTION), {"inflow": inflow}, traffic)


def five_way(
    *,
    inflow: Range = 250.0,
    control: str = "priority",
    arm: float = 100.0,
    lanes: int = 1,
    speed_limit: float = 13.89,
    **traffic: Any,
) -> Scenario:
    """Five arms, 72° apart: "east" and "northwest", which have priority, "northeast", "southwest" and "southeast".

    Arguments as of `crossing`.
    """
    net = junction_net("five_way", FIVE_WAY, control, arm, lanes, speed_limit)
    return open_scenario("five_way", net, inflows_of(FIVE_WAY), {"inflow": inflow}, traffic)


def junction_net(name: str, arms: Arms, control: str, arm: float, lanes: int, speed_limit: float) -> str:
    """The network's path.

    Raises:
        ScenarioError: a value that cannot be.
    """
    if control not in CONTROLS:
        raise ScenarioError(unknown("control", str(control), dict.fromkeys(CONTROLS)))
    arm = number("arm", arm, least=30.0, most=10_000.0)
    lanes = whole("lanes", lanes, least=1, most=4)
    speed_limit = number("speed_limit", speed_limit, least=1.0, most=100.0)
    nodes, edges = [Node(CENTER, 0, 0, control)], list[Edge]()
    for side, degrees in arms.items():
        angle = math.radians(degrees)
        nodes.append(Node(side, arm * math.cos(angle), arm * math.sin(angle)))
        priority = 2 if control == "priority" and side in MAIN else 1
        ways = {f"{side}_in": (side, CENTER), f"{side}_out": (CENTER, side)}
        edges += [Edge(way, *ends, lanes, speed_limit, priority, spread="right") for way, ends in ways.items()]
    return built(name, nodes, edges, None)


def inflows_of(arms: Arms) -> list[Inflow]:
    """From each arm to all others alike."""
    shares = (1.0,) * (len(arms) - 1)
    return [
        Inflow(f"{side}_", "inflow", tuple((f"{side}_in", f"{to}_out") for to in arms if to != side), shares)
        for side in arms
    ]
