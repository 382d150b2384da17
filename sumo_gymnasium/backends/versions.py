"""SUMO comes in four packages, which only work together at one version."""

from functools import cache
from importlib.metadata import version

from sumo_gymnasium.backends import BackendError

PARTS = ("libsumo", "traci", "sumolib", "eclipse-sumo")


def minor(full: str) -> str:
    """The first two numbers of a version."""
    return ".".join(full.split(".")[:2])


@cache
def check_versions() -> None:
    """Make sure that the parts of SUMO fit together.

    Raises:
        BackendError: they are of several minor versions.
    """
    found = {part: version(part) for part in PARTS}
    if len(set(map(minor, found.values()))) > 1:
        listed = ", ".join(f"{part} {full}" for part, full in found.items())
        wanted = " ".join(f"{part}=={found['eclipse-sumo']}" for part in PARTS)
        raise BackendError(f"{listed} are installed; expected one version of all: pip install {wanted}")
