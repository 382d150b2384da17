"""Which lane follows which, inside junctions too: what a vehicle drives over, metre by metre."""

import gzip
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple
from xml.etree import ElementTree


class Successor(NamedTuple):
    """The lane that comes next, often one inside the junction, and the lane of a road that it leads to."""

    lane: str
    target: str


class LaneGraph(NamedTuple):
    """The connections of a network; by lane. A lane that leads nowhere, or comes from nowhere, is not listed."""

    following: Mapping[str, tuple[Successor, ...]]
    preceding: Mapping[str, tuple[str, ...]]


def read_lane_graph(path: str) -> LaneGraph:
    """The graph of the network file at `path`, parsed once per path, size and time stamp."""
    stat = os.stat(path)
    return _read(os.path.abspath(path), stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=32)
def _read(path: str, size: int, time: int) -> LaneGraph:
    following: dict[str, list[Successor]] = defaultdict(list)
    preceding: dict[str, list[str]] = defaultdict(list)
    for origin, successor in _connections(path):
        following[origin].append(successor)
        preceding[successor.lane].append(origin)
    return LaneGraph(
        {lane: tuple(dict.fromkeys(successors)) for lane, successors in following.items()},
        {lane: tuple(dict.fromkeys(origins)) for lane, origins in preceding.items()},
    )


def _connections(path: str) -> Iterator[tuple[str, Successor]]:
    with gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb") as file:
        for _, element in ElementTree.iterparse(file):
            if element.tag == "connection" and not element.get("to", ":").startswith(":"):  # else it is for walking
                target = f"{element.get('to')}_{element.get('toLane')}"
                yield f"{element.get('from')}_{element.get('fromLane')}", Successor(element.get("via", target), target)
            if element.tag in ("connection", "edge", "junction"):
                element.clear()
