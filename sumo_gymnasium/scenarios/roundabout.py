"""A roundabout: who is on it has priority."""

import math
from typing import Any

from sumo_gymnasium.scenarios.inflows import Inflow
from sumo_gymnasium.scenarios.plain import Edge, Node, arc
from sumo_gymnasium.scenarios.ranges import Range, number, whole
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.traffic import built, open_scenario


def roundabout(
    *,
    inflow: Range = 400.0,
    arms: int = 4,
    radius: float = 20.0,
    arm: float = 100.0,
    lanes: int = 1,
    speed_limit: float = 13.89,
    circle_speed: float = 8.33,
    **traffic: Any,
) -> Scenario:
    """Arms "arm0" (to the east), "arm1" … anticlockwise, from each of which one drives to all others alike.

    Edges "arm0_in" and "arm0_out", and "circle0" from arm 0 to arm 1.

    Args:
        inflow: on each arm, veh/h, or (low, high) to draw it from in each episode.
        arms: 3 to 8.
        radius: of the circle, m.
        arm: length of an arm, m.
        lanes: of the arms in each direction, and of the circle.
        speed_limit: on the arms, m/s.
        circle_speed: on the circle, m/s.
        **traffic: see `Inflows` and `Drivers`.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    arms, lanes = whole("arms", arms, least=3, most=8), whole("lanes", lanes, least=1, most=3)
    radius = number("radius", radius, least=3.0 * arms, most=500.0)
    arm = number("arm", arm, least=30.0, most=10_000.0)
    nodes, edges = list[Node](), list[Edge]()
    speed_limit = number("speed_limit", speed_limit, least=1.0, most=100.0)
    circle_speed = number("circle_speed", circle_speed, least=1.0, most=100.0)
    for count in range(arms):
        degrees = 360 / arms * count
        angle, following = math.radians(degrees), (count + 1) % arms
        x, y = math.cos(angle), math.sin(angle)
        nodes += [
            Node(f"node{count}", radius * x, radius * y),
            Node(f"arm{count}", (radius + arm) * x, (radius + arm) * y),
        ]
        shape = arc(0, 0, radius, degrees, degrees + 360 / arms)
        edges += [
            Edge(f"arm{count}_in", f"arm{count}", f"node{count}", lanes, speed_limit, 1, spread="right"),
            Edge(f"arm{count}_out", f"node{count}", f"arm{count}", lanes, speed_limit, 1, spread="right"),
            Edge(f"circle{count}", f"node{count}", f"node{following}", lanes, circle_speed, 2, shape),
        ]
    net = built("roundabout", nodes, edges, None)
    inflows = [Inflow(f"arm{count}_", "inflow", _routes(count, arms), (1.0,) * (arms - 1)) for count in range(arms)]
    return open_scenario("roundabout", net, inflows, {"inflow": inflow}, traffic)


def _routes(begin: int, arms: int) -> tuple[tuple[str, ...], ...]:
    """To each other arm, the next one first."""
    circle = [f"circle{(begin + part) % arms}" for part in range(arms)]
    return tuple((f"arm{begin}_in", *circle[:parts], f"arm{(begin + parts) % arms}_out") for parts in range(1, arms))
