"""Plane geometry for drawing: bands along lines, dashes, boxes; in metres, as points (x, y)."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sumo_gymnasium.scenarios.net import Shape

SHARPEST = 0.3  # cosine of half a bend's angle; mitres at sharper bends are cut off

Point = tuple[float, float]


def distinct(line: Sequence[Point]) -> Shape:
    """`line` without points that repeat the one before, as shapes in networks may have them."""
    return (line[0], *(point for last, point in pairwise(line) if point != last))


def beside(line: Sequence[Point], distance: float) -> Shape:
    """The line `distance` to the left of `line`, seen along it; to the right if negative."""
    headings = [_heading(a, b) for a, b in pairwise(line)]
    before, after = [headings[0], *headings], [*headings, headings[-1]]
    return tuple(_mitre(point, last, next_, distance) for point, last, next_ in zip(line, before, after, strict=True))


def band(line: Sequence[Point], width: float) -> Shape:
    """The outline of a band of `width` along `line`."""
    return (*beside(line, width / 2), *reversed(beside(line, -width / 2)))


def dashes(line: Sequence[Point], length: float, gap: float) -> Iterator[Shape]:
    """Pieces of `line`, `length` long and `gap` apart, with half a gap before the first."""
    start = gap / 2
    while start + length <= _length(line):
        yield along(line, start, start + length)
        start += length + gap


def along(line: Sequence[Point], start: float, end: float) -> Shape:
    """The part of `line` between two distances from its beginning; straight on where the line is too short."""
    passed, points = 0.0, []
    for a, b in pairwise(line):
        reached = passed + math.dist(a, b)
        if start < passed < end:
            points.append(a)
        passed = reached
    return (_at(line, start), *points, _at(line, end))


def box(front: Point, heading: Point, length: float, width: float, start: float = 0.0) -> Shape:
    """A rectangle that begins `start` behind `front` and is `length` long; `heading` is a unit vector."""
    (x, y), (dx, dy) = front, heading
    (ax, ay), (bx, by) = ((x - dx * back, y - dy * back) for back in (start, start + length))
    nx, ny = -dy * width / 2, dx * width / 2
    return (ax + nx, ay + ny), (ax - nx, ay - ny), (bx - nx, by - ny), (bx + nx, by + ny)


def end_of(line: Sequence[Point]) -> tuple[Point, Point]:
    """The last point of `line`, and its heading there."""
    return line[-1], _heading(line[-2], line[-1])


def _length(line: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(line))


def _at(line: Sequence[Point], distance: float) -> Point:
    passed = 0.0
    for a, b in pairwise(line):
        step = math.dist(a, b)
        if distance <= passed + step:
            break
        passed += step
    else:
        passed -= step
    dx, dy = _heading(a, b)
    return a[0] + dx * (distance - passed), a[1] + dy * (distance - passed)


def _heading(a: Point, b: Point) -> Point:
    distance = math.dist(a, b)
    return (b[0] - a[0]) / distance, (b[1] - a[1]) / distance


def _mitre(point: Point, last: Point, next_: Point, distance: float) -> Point:
    """`point` moved to the left of two headings, so far that both lines keep the distance."""
    nx, ny = -(last[1] + next_[1]) / 2, (last[0] + next_[0]) / 2
    squared = max(nx * nx + ny * ny, SHARPEST**2)
    return point[0] + nx * distance / squared, point[1] + ny * distance / squared
