"""Comparing SUMO's tripinfo files: the same traffic has the same rows."""

import re
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from sumo_gymnasium.backends.options import TRIPINFO


class Difference(NamedTuple):
    """The first row that is not the same; "" where one file has ended."""

    row: int
    ours: str
    theirs: str


def find(folder: Path) -> Path:
    """The one tripinfo file somewhere below `folder`."""
    (file,) = folder.rglob(TRIPINFO)
    return file


def rows(file: Path) -> list[str]:
    """The lines of a tripinfo file, without the head (the time of writing, the configuration)."""
    lines = file.read_text(encoding="utf-8").splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("<tripinfos"))
    return lines[begin + 1 :]


def vehicle_seconds(file: Path) -> float:
    """Time that all vehicles together were on the road."""
    return sum(float(duration) for row in rows(file) for duration in re.findall(r' duration="([^"]*)"', row))


def difference(ours: Path, theirs: Path) -> Difference | None:
    """Where the two files differ first; None if they are the same line by line."""
    pairs = zip_longest(rows(ours), rows(theirs), fillvalue="")
    return next((Difference(row, one, other) for row, (one, other) in enumerate(pairs) if one != other), None)
