"""SUMO in this process. There can be only one: a second start would silently replace the first."""

import contextlib
import io
from collections.abc import Sequence

# Importing libsumo replaces traci's exception class by its own, so traci comes first; and libsumo may print a warning
# to stdout.
import traci.exceptions

with contextlib.redirect_stdout(io.StringIO()):
    import libsumo

from sumo_gymnasium.backends import BackendError

ERRORS = (libsumo.TraCIException, libsumo.libsumo.FatalTraCIError, traci.exceptions.FatalTraCIError)


def is_free() -> bool:
    """Whether no simulation lives in this process, ours or anybody's."""
    return not libsumo.isLoaded()


class Libsumo:
    """The simulation in this process."""

    def __init__(self, options: Sequence[str]) -> None:
        """Start SUMO.

        Raises:
            BackendError: SUMO does not accept its input.
        """
        self.simulation, self.trafficlight = libsumo.simulation, libsumo.trafficlight
        self.lane, self.edge = libsumo.lane, libsumo.edge
        self.vehicle, self.person = libsumo.vehicle, libsumo.person
        self.gui = None
        try:
            libsumo.start(["sumo", *options])
        except ERRORS as error:
            libsumo.close()
            raise BackendError(str(error)) from error

    def step(self) -> None:
        """Simulate one step."""
        try:
            libsumo.simulationStep()
        except ERRORS as error:
            raise BackendError(str(error)) from error

    def close(self) -> None:
        """End the simulation."""
        libsumo.close()
