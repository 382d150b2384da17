"""What every benchmark prints: the versions that it ran with, and tables."""

import os
import platform
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

import sumo_gymnasium

CPU_INFO = Path("/proc/cpuinfo")  # Linux


def versions() -> str:
    """SUMO, Python, this package and the machine, in one line."""
    return (
        f"SUMO {version('eclipse-sumo')}, libsumo {version('libsumo')}, Python {platform.python_version()}, "
        f"sumo-gymnasium {sumo_gymnasium.__version__}, {os.cpu_count()} cores of {_processor()}, {platform.platform()}"
    )


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A markdown table; floats get three digits, None is a dash."""
    body = [[_cell(value) for value in row] for row in rows]
    return "\n".join(map(_line, [list(columns), ["---"] * len(columns), *body]))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _processor() -> str:
    lines = CPU_INFO.read_text().splitlines() if CPU_INFO.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
