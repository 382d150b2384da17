from itertools import pairwise

import numpy as np
import pygame

from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.renderers.background import Background
from sumo_gymnasium.renderers.palette import FOOTWAY, GROUND, MARKING, ROAD
from sumo_gymnasium.renderers.view import View, network_box, signal_box, view_of
from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.scenarios.scenario import Scenario
from tests.conftest import CASES

SCRAMBLE = Scenario(net_file=str(CASES / "06-peds-mixed-modes" / "a-scramble.net.xml"))
SIZE = (800, 800)


def painted(kernel: Kernel, view: View) -> pygame.Surface:
    surface = pygame.Surface(SIZE)
    Background(pygame.draw, surface, view, kernel).paint()
    return surface


def color(surface: pygame.Surface, point: tuple[float, float]) -> tuple[int, ...]:
    return tuple(surface.get_at((round(point[0]), round(point[1]))))[:3]


def test_background__has_roads_where_lanes_are_and_ground_elsewhere() -> None:
    kernel = Kernel(scenario_of("intersection-uniform"), SumoConfig())
    view = view_of(*network_box(kernel), SIZE)
    surface = painted(kernel, view)
    for lane in kernel.network.lanes.values():
        (ax, ay), (bx, by) = lane.shape[:2]
        assert color(surface, view.pixel(((ax + bx) / 2, (ay + by) / 2))) == ROAD
    assert color(surface, (20, 20)) == GROUND


def test_background__draws_a_lane_as_wide_as_it_is() -> None:
    kernel = Kernel(scenario_of("intersection-uniform"), SumoConfig())
    view = view_of(*signal_box(kernel, kernel.traffic_light.ids[0], 40.0), SIZE)
    surface = painted(kernel, view)
    column = [color(surface, (30, y)) != GROUND for y in range(SIZE[1])]  # across the western arm
    arm = [lane for lane in kernel.network.lanes.values() if min(x for x, _ in lane.shape) < 10]
    assert abs(sum(column) - sum(lane.width for lane in arm) * view.scale) <= 3


def test_background__shows_footways_and_zebras() -> None:
    kernel = Kernel(SCRAMBLE, SumoConfig())
    view = view_of(*signal_box(kernel, kernel.traffic_light.ids[0], 20.0), SIZE)
    surface = painted(kernel, view)
    for lane in kernel.network.lanes.values():
        function = kernel.network.edges[lane.edge].function
        if function == "crossing":
            (ax, ay), (bx, by) = lane.shape[0], lane.shape[-1]
            walk = [view.pixel((ax + (bx - ax) * part, ay + (by - ay) * part)) for part in np.linspace(0, 1, 200)]
            shown = [color(surface, point) == MARKING for point in walk]
            assert sum(a != b for a, b in pairwise(shown)) >= 8, "stripes"
        elif not lane.vehicles and function == "" and view.shows(lane.shape[-1:]):
            assert color(surface, view.pixel(lane.shape[-1])) == FOOTWAY
