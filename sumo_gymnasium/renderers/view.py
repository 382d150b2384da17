"""Which part of the network a picture shows, and where its points lie in the picture."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.renderers.shapes import Point

MARGIN = 0.04  # of the picture, on each side


class View(NamedTuple):
    """A window on the network: `center` in m, `scale` in pixels a metre, `size` in pixels. Pixels count downwards."""

    center: Point
    scale: float
    size: tuple[int, int]

    def pixel(self, point: Point) -> Point:
        """Where a point of the network lies in the picture."""
        (x, y), (cx, cy), (width, height) = point, self.center, self.size
        return width / 2 + (x - cx) * self.scale, height / 2 - (y - cy) * self.scale

    def pixels(self, shape: Iterable[Point]) -> list[Point]:
        """Where the points lie in the picture."""
        return [self.pixel(point) for point in shape]

    def shows(self, shape: Sequence[Point], around: float = 0.0) -> bool:
        """Whether the box around `shape`, `around` m larger on each side, lies in the picture, if only in part."""
        (x0, y0), (x1, y1) = bounds(shape)
        (cx, cy), (width, height) = self.center, self.size
        dx, dy = width / 2 / self.scale + around, height / 2 / self.scale + around
        return x0 <= cx + dx and x1 >= cx - dx and y0 <= cy + dy and y1 >= cy - dy

    def metres(self, pixels: float) -> float:
        """How long `pixels` are."""
        return pixels / self.scale


def view_of(low: Point, high: Point, size: tuple[int, int]) -> View:
    """The view that shows the box between two corners as large as it fits."""
    (x0, y0), (x1, y1) = low, high
    inside = 1 - 2 * MARGIN
    scale = min(size[0] * inside / max(x1 - x0, 1.0), size[1] * inside / max(y1 - y0, 1.0))
    return View(((x0 + x1) / 2, (y0 + y1) / 2), scale, size)


def network_box(kernel: Kernel) -> tuple[Point, Point]:
    """The corners of the whole network."""
    network = kernel.network
    shapes = [lane.shape for lane in network.lanes.values()] + [node.shape for node in network.junctions.values()]
    return bounds([point for shape in shapes for point in shape])


def signal_box(kernel: Kernel, signal: str, radius: float) -> tuple[Point, Point]:
    """The corners of a square around a signal that reaches `radius` beyond its stop lines."""
    lanes = kernel.network.lanes
    (x0, y0), (x1, y1) = bounds([lanes[link.origin].shape[-1] for link in kernel.traffic_light.links(signal)])
    half = radius + max(x1 - x0, y1 - y0) / 2
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return (x - half, y - half), (x + half, y + half)


def bounds(points: Iterable[Point]) -> tuple[Point, Point]:
    """The lowest and the highest x and y of `points`."""
    xs, ys = zip(*points, strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))
