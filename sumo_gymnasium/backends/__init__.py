"""The seam to SUMO: the only files that say `libsumo` or `traci`. One simulation is one `Backend`."""

from typing import Any, Protocol


class Backend(Protocol):
    """A running simulation. The domains have the getters and commands of TraCI, with TraCI's names and units."""

    simulation: Any
    trafficlight: Any
    lane: Any
    edge: Any
    vehicle: Any
    person: Any
    gui: Any

    def check(self) -> None:
        """Raise BackendError if the simulation that answers is not this one any more."""

    def step(self, until: float = 0.0) -> None:
        """Simulate one step, or all those that end by the second `until`."""

    def close(self) -> None:
        """End the simulation, whatever state it is in; its output files are complete then."""


class BackendError(Exception):
    """SUMO refused, or is gone; the text is SUMO's, as far as it says one."""
