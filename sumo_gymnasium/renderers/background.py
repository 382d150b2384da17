"""What does not move: roads with their markings, junctions, footways and crossings, drawn once."""

from collections.abc import Sequence
from typing import Any

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.renderers.palette import FOOTWAY, GROUND, MARKING, ROAD
from sumo_gymnasium.renderers.shapes import Point, band, beside, dashes, distinct
from sumo_gymnasium.renderers.view import View

DRIVEN = ("", "connector", "internal")  # functions of edges that are drawn as roads
STRIPE, STRIPE_GAP = 0.5, 0.5  # m, of a zebra crossing
DASH, DASH_GAP, LINE = 3.0, 4.5, 0.2  # m, between lanes
THINNEST = 2.0  # pixels, of a lane
MARKED = 3.0  # pixels a metre from which markings can be seen


class Background:
    """Draws the network of a kernel on a surface of pygame's."""

    def __init__(self, draw: Any, surface: Any, view: View, kernel: Kernel) -> None:
        self._draw, self._surface, self._view, self._network = draw, surface, view, kernel.network
        self._lanes = {
            lane: facts
            for lane, facts in self._network.lanes.items()
            if view.shows(facts.shape, facts.width) and len(distinct(facts.shape)) > 1
        }

    def paint(self) -> None:
        """Draw everything, from the ground up."""
        self._surface.fill(GROUND)
        for junction in self._network.junctions.values():
            self._fill(junction.shape, ROAD)
        for lane in self._of(*DRIVEN):
            self._road(lane)
        for lane in self._of("walkingarea"):
            self._fill(self._lanes[lane].shape, FOOTWAY)
        if self._view.scale >= MARKED:
            for lane in self._of(""):
                self._line(lane)
        for lane in self._of("crossing"):
            for stripe in dashes(distinct(self._lanes[lane].shape), STRIPE, STRIPE_GAP):
                self._fill(band(stripe, self._lanes[lane].width), MARKING)

    def _of(self, *functions: str) -> list[str]:
        edges = self._network.edges
        return [lane for lane, facts in self._lanes.items() if edges[facts.edge].function in functions]

    def _road(self, lane: str) -> None:
        facts = self._lanes[lane]
        width = max(facts.width, self._view.metres(THINNEST))
        color = ROAD if facts.vehicles else FOOTWAY
        self._fill(band(distinct(facts.shape), width), color)
        edge = self._network.edges[facts.edge]
        for junction, end in ((edge.origin, facts.shape[0]), (edge.target, facts.shape[-1])):
            if edge.function == "" and self._network.junctions[junction].type != "dead_end":
                # round ends fill the gaps where a junction has hardly any area
                self._draw.circle(self._surface, color, self._view.pixel(end), width / 2 * self._view.scale)

    def _line(self, lane: str) -> None:
        """What separates a lane from the one to its left."""
        facts = self._lanes[lane]
        left = self._network.edges[facts.edge].lanes[facts.index + 1 :]
        border = beside(distinct(facts.shape), facts.width / 2)
        if left and facts.vehicles and self._network.lanes[left[0]].vehicles:
            for dash in dashes(border, DASH, DASH_GAP):
                self._fill(band(dash, LINE), MARKING)
        elif not left and facts.vehicles:
            self._fill(band(border, LINE), MARKING)

    def _fill(self, shape: Sequence[Point], color: tuple[int, int, int]) -> None:
        if len(shape) > 2 and self._view.shows(shape):
            self._draw.polygon(self._surface, color, self._view.pixels(shape))
