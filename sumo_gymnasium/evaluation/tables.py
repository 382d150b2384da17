"""Rows of results: flat dicts, CSV, and tables to read."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any


def flat(given: Mapping[str, Any]) -> dict[str, Any]:
    """`{"due": {"delay": 1.0}}` as `{"due_delay": 1.0}`; the items of a list are numbered from 0."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        if isinstance(value, list | tuple):
            value = {str(place): item for place, item in enumerate(value)}
        if isinstance(value, Mapping):
            found.update({f"{name}_{inner}": item for inner, item in flat(value).items()})
        else:
            found[name] = value
    return found


def csv_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """A line of column names, then a line a row; what a row lacks is empty."""
    columns = dict.fromkeys(name for row in rows for name in row)
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def aligned(rows: Sequence[Sequence[str]], left: int) -> str:
    """The rows below each other: the first `left` columns are flush left, the numbers after them flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
