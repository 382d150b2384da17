import math

import numpy as np
import pygame
import pytest

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.signal_files import LETTERS
from sumo_gymnasium.renderers.foreground import Foreground
from sumo_gymnasium.renderers.palette import LIGHTS, PEDESTRIAN, speed_color
from sumo_gymnasium.renderers.view import View, network_box, signal_box, view_of
from sumo_gymnasium.scenarios.net import Lane
from tests.conftest import CASES
from tests.renderers.conftest import Started

SIZE = (1200, 1200)
SCRAMBLE = {
    "net_file": str(CASES / "06-peds-mixed-modes" / "a-scramble.net.xml"),
    "route_files": str(CASES / "06-peds-mixed-modes" / "a.rou.xml"),
}
NOTHING = (1, 2, 3)


def painted(kernel: Kernel, view: View) -> pygame.Surface:
    surface = pygame.Surface(SIZE)
    surface.fill(NOTHING)
    Foreground(pygame, surface, view, kernel).paint()
    return surface


def near(kernel: Kernel, radius: float = 60.0) -> View:
    return view_of(*signal_box(kernel, kernel.traffic_light.ids[0], radius), SIZE)


def color(surface: pygame.Surface, point: tuple[float, float]) -> tuple[int, ...]:
    return tuple(surface.get_at((round(point[0]), round(point[1]))))[:3]


def behind(kernel: Kernel, vehicle: str, distance: float) -> tuple[float, float]:
    (x, y), angle = kernel.vehicle.position(vehicle), math.radians(kernel.vehicle.angle(vehicle))
    return x - math.sin(angle) * distance, y - math.cos(angle) * distance


def at_stop_line(lane: Lane, place: int, of: int) -> tuple[float, float]:
    """The middle of the place-th of equal parts of the stop line, counted from the right."""
    (ax, ay), (bx, by) = lane.shape[-2:]
    length = math.dist((ax, ay), (bx, by))
    left = (place - (of - 1) / 2) * lane.width / of
    return bx - (by - ay) / length * left, by + (bx - ax) / length * left


def test_vehicles__lie_where_sumo_has_them(started: Started) -> None:
    kernel = started(steps=200)
    view = near(kernel)
    surface = painted(kernel, view)
    inside = [vehicle for vehicle in kernel.vehicle.ids if view.shows([kernel.vehicle.position(vehicle)], -8)]
    assert len(inside) > 3
    for vehicle in inside:
        length = kernel.vehicle.length(vehicle)
        assert color(surface, view.pixel(behind(kernel, vehicle, length - 0.5))) == speed_color(
            kernel.vehicle.speed(vehicle)
        )
        assert color(surface, view.pixel(behind(kernel, vehicle, length + 0.5))) == NOTHING


def test_lights__show_the_state_link_by_link(started: Started) -> None:
    kernel = started()
    (signal,) = kernel.traffic_light.ids
    view = near(kernel, 20.0)
    seen = set()
    for _ in range(60):
        surface, state = painted(kernel, view), kernel.traffic_light.state(signal)
        for lane in kernel.traffic_light.incoming_lanes(signal):
            links = sorted({link.index for link in kernel.traffic_light.links(signal) if link.origin == lane})
            for place, link in enumerate(links):
                point = at_stop_line(kernel.network.lanes[lane], place, len(links))
                if any(math.dist(point, kernel.vehicle.position(vehicle)) < 10 for vehicle in kernel.vehicle.ids):
                    continue  # it may stand on the bar
                assert color(surface, view.pixel(point)) == LIGHTS[state[link]]
                seen.add(state[link])
        kernel.step()
    assert {"G", "r", "y"} <= seen


def test_lights__of_one_lane_stand_side_by_side(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = started()
    (signal,) = kernel.traffic_light.ids
    monkeypatch.setattr(kernel.traffic_light, "state", lambda _: "Gry" * 20)
    view = near(kernel, 20.0)
    surface = painted(kernel, view)
    right_of = {"r": 0, "R": 0, "s": 1, "L": 2, "l": 2, "t": 3}  # SUMO's directions, from the right
    shared = 0
    for lane in kernel.traffic_light.incoming_lanes(signal):
        links = [link for link in kernel.traffic_light.links(signal) if link.origin == lane]
        links.sort(key=lambda link: right_of[link.direction])
        for place, link in enumerate(links):
            point = view.pixel(at_stop_line(kernel.network.lanes[lane], place, len(links)))
            assert color(surface, point) == LIGHTS[("Gry" * 20)[link.index]]
        shared += len(links) > 1
    assert shared


def test_lights__know_every_letter_that_sumo_accepts() -> None:
    assert set(LIGHTS) == LETTERS


def test_pedestrians__are_where_sumo_has_them(started: Started) -> None:
    kernel = started(SCRAMBLE, steps=150)
    view = near(kernel, 100.0)
    surface = painted(kernel, view)
    inside = [position for position in kernel.vehicle.pedestrians if view.shows([position])]
    assert len(inside) > 3
    for position in inside:
        assert color(surface, view.pixel(position)) == PEDESTRIAN


def test_crossings__show_their_state_at_both_ends(started: Started) -> None:
    kernel = started(SCRAMBLE)
    signal = kernel.traffic_light.ids[0]
    view = near(kernel, 20.0)
    surface, state = painted(kernel, view), kernel.traffic_light.state(signal)
    states: dict[str, set[tuple[int, int, int]]] = {}
    for link in kernel.traffic_light.links(signal):
        if link.crossing:
            states.setdefault(link.target, set()).add(LIGHTS[state[link.index]])
    assert len(states) == 4
    for crossing, colors in states.items():
        shape = kernel.network.lanes[crossing].shape
        assert {color(surface, view.pixel(end)) for end in (shape[0], shape[-1])} == colors


def test_clock__is_all_that_changes_on_an_empty_road(started: Started) -> None:
    kernel = started(SCRAMBLE | {"route_files": ()}, steps=1)
    view = view_of(*network_box(kernel), SIZE)
    before = pygame.surfarray.array3d(painted(kernel, view))
    kernel.step()
    rows, columns = np.nonzero((pygame.surfarray.array3d(painted(kernel, view)) != before).any(axis=2))
    assert 0 < rows.max() < SIZE[0] / 4
    assert 0 < columns.max() < SIZE[1] / 10


@pytest.mark.parametrize("step_length", [0.1, 0.25])
def test_clock__shows_parts_of_seconds(started: Started, step_length: float) -> None:
    kernel = started(step_length=step_length, steps=3)
    painted(kernel, near(kernel))  # every letter of "t = 0.75 s" has its glyph
    assert kernel.simulation.time == pytest.approx(3 * step_length)
