"""What moves or changes: vehicles, people on foot, what the signals show, and the clock."""

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.renderers.palette import GLASS, LIGHTS, PEDESTRIAN, PLATE, TEXT, Color, speed_color
from sumo_gymnasium.renderers.shapes import Point, box, distinct, end_of
from sumo_gymnasium.renderers.view import View
from sumo_gymnasium.scenarios.net import Shape

LONGEST = 200.0  # m, of a train
SMALLEST = (12.0, 6.0)  # pixels, length and width of a vehicle
BAR = 1.2  # m, how long a signal's bars are along the lane
SMALLEST_BAR = (10.0, 5.0)  # pixels, along and across the lane
PERSON = 0.4  # m, radius
SMALLEST_PERSON = 5.0  # pixels
CLOCK = 28  # lines of the clock's size in a picture
GLYPHS = "0123456789.ts= "


class Bar(NamedTuple):
    """Where letter `link` of a signal's state is shown."""

    signal: str
    link: int
    shape: Shape


class Foreground:
    """Draws what happens in a kernel on a surface of pygame's."""

    def __init__(self, pygame: Any, surface: Any, view: View, kernel: Kernel) -> None:
        self._draw, self._surface, self._view, self._kernel = pygame.draw, surface, view, kernel
        self._bars = [bar for signal in kernel.traffic_light.ids for bar in _bars(kernel, signal, view)]
        self._glyphs = _glyphs(pygame, view.size[1] // CLOCK)

    def paint(self) -> None:
        """Draw everything that is in the view now."""
        self._lights()
        for vehicle in self._kernel.vehicle.ids:
            self._vehicle(vehicle)
        for position in self._kernel.vehicle.pedestrians:
            if self._view.shows([position]):
                radius = max(PERSON * self._view.scale, SMALLEST_PERSON)
                self._draw.circle(self._surface, PEDESTRIAN, self._view.pixel(position), radius)
        self._clock()

    def _lights(self) -> None:
        for signal, bars in groupby(self._bars, lambda bar: bar.signal):
            state = self._kernel.traffic_light.state(signal)
            for bar in bars:
                self._fill(bar.shape, LIGHTS[state[bar.link]])

    def _vehicle(self, vehicle: str) -> None:
        kernel, view = self._kernel.vehicle, self._view
        front = kernel.position(vehicle)
        if not view.shows([front], LONGEST):
            return
        angle = math.radians(kernel.angle(vehicle))
        heading = math.sin(angle), math.cos(angle)
        length = max(kernel.length(vehicle), view.metres(SMALLEST[0]))
        width = max(kernel.width(vehicle), view.metres(SMALLEST[1]))
        nose = min(length / 4, 1.2)
        tip = box(front, heading, nose, width * 0.6)[:2]
        body = box(front, heading, length - nose, width, nose)
        self._fill((*tip, *body[1:], body[0]), speed_color(kernel.speed(vehicle)))
        self._fill(box(front, heading, nose / 2, width * 0.75, nose * 1.2), GLASS)

    def _clock(self) -> None:
        text = f"t = {np.format_float_positional(self._kernel.simulation.time, trim='-')} s"
        glyphs = [self._glyphs[letter] for letter in text]
        height = glyphs[0].get_height()
        width = sum(glyph.get_width() for glyph in glyphs)
        self._draw.rect(
            self._surface, PLATE, (height // 2, height // 2, width + height, height * 3 // 2), 0, height // 3
        )
        x = height
        for glyph in glyphs:
            self._surface.blit(glyph, (x, height * 3 // 4))
            x += glyph.get_width()

    def _fill(self, shape: Sequence[Point], color: Color) -> None:
        self._draw.polygon(self._surface, color, self._view.pixels(shape))


def _bars(kernel: Kernel, signal: str, view: View) -> list[Bar]:
    """The bars of one signal, at the ends of the lanes and crossings that it rules, as far as they are in the view."""
    places: dict[str, list[int]] = {}
    for link in kernel.traffic_light.links(signal):
        indices = places.setdefault(link.target if link.crossing else link.origin, [])
        if link.index not in indices:
            indices.append(link.index)
    lanes, edges = kernel.network.lanes, kernel.network.edges
    bars: list[Bar] = []
    for lane, indices in places.items():
        line, width = distinct(lanes[lane].shape), lanes[lane].width
        if len(line) > 1 and edges[lanes[lane].edge].function == "crossing":  # a second index rules the way back
            bars += [Bar(signal, indices[0], _bar(line[::-1], width, 0, 1, view))]
            bars += [Bar(signal, indices[-1], _bar(line, width, 0, 1, view))]
        elif len(line) > 1:
            count = len(indices)
            bars += [Bar(signal, index, _bar(line, width, place, count, view)) for place, index in enumerate(indices)]
    return [bar for bar in bars if view.shows(bar.shape)]


def _bar(line: Shape, width: float, place: int, of: int, view: View) -> Shape:
    """A bar across the end of `line`, the place-th `of` equal ones from the right."""
    (x, y), (dx, dy) = end_of(line)
    length = max(BAR, view.metres(SMALLEST_BAR[0]))
    part = max(width, view.metres(SMALLEST_BAR[1])) / of
    left = (place - (of - 1) / 2) * part
    return box((x - dy * left, y + dx * left), (dx, dy), length, part * 0.9, -length / 2)


def _glyphs(pygame: Any, height: int) -> dict[str, Any]:
    """A small picture of each letter of the clock; fonts themselves would not survive somebody's pygame.quit()."""
    pygame.font.init()
    font = pygame.font.Font(None, height)
    return {letter: font.render(letter, True, TEXT) for letter in GLYPHS}
