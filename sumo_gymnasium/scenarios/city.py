"""A small city made up from a seed: crossings of three to five arms, whose signals differ in shape and phases."""

from typing import Any

from sumo_gymnasium.scenarios.demand import RandomDemand
from sumo_gymnasium.scenarios.generate import generated
from sumo_gymnasium.scenarios.ranges import whole
from sumo_gymnasium.scenarios.scenario import Scenario

FLOW = 900.0  # veh/h
MOST_SEED = 2**31 - 1


def city(*, layout: int = 1, size: int = 30, **demand: Any) -> Scenario:
    """The streets that netgenerate makes up from the seed `layout`, with a signal where they are busy enough.

    Args:
        layout: another number, another city. It is no seed of the demand: that is reset's.
        size: how many times netgenerate tries to add streets; about as many crossings.
        **demand: see `RandomDemand`; if not given, half of all drives' ends lie inside the city.

    Raises:
        ScenarioError: an argument that there is not, or a value that cannot be.
    """
    drawn = RandomDemand.of(demand, flow=FLOW, fringe=0.5)
    net = generated(
        "city", *_options(whole("layout", layout, least=0, most=MOST_SEED), whole("size", size, least=5, most=500))
    )
    drawn.check(net)
    return Scenario(net_file=net, end=3600.0, name="city", variation=drawn)


def _options(layout: int, size: int) -> list[str]:
    return [
        "--rand",
        f"--seed={layout}",
        f"--rand.iterations={size}",
        "--rand.min-distance=120",
        "--rand.max-distance=250",
        "--rand.min-angle=50",
        "--rand.connectivity=0.95",
        "--random-lanenumber",
        "--default.lanenumber=3",
        "--turn-lanes=1",
        "--turn-lanes.length=50",
        "--tls.guess",
        "--tls.guess.threshold=0",
        "--no-turnarounds.except-deadend",
    ]
