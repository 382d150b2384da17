"""SUMO in this process. There can be only one: a second start would silently replace the first."""

import contextlib
import io
import os
from collections.abc import Sequence
from typing import Any

# Importing libsumo replaces the exception class in traci.exceptions by its own, but traci's connections go on raising
# theirs; and libsumo may print a warning to stdout.
from traci.connection import TraCIException

with contextlib.redirect_stdout(io.StringIO()):
    import libsumo

from sumo_gymnasium.backends import BackendError

GONE = (BackendError, libsumo.libsumo.FatalTraCIError)  # what any read raises once the simulation has ended
ERRORS = (*GONE, libsumo.TraCIException)
REFUSED = (libsumo.TraCIException, TraCIException)  # what a wrong id or argument raises, in both backends

FREQUENT = frozenset(
    {
        "getLastStepVehicleIDs",
        "getLastStepHaltingNumber",
        "getLastStepLength",
        "getAccumulatedWaitingTime",
        "getRedYellowGreenState",
        "getSpeed",
        "getAcceleration",
        "getSpeedWithoutTraCI",
        "getMaxSpeed",
        "getAllowedSpeed",
        "getLaneID",
        "getLaneIndex",
        "getLanePosition",
        "getRoadID",
        "getRoute",
        "getRouteIndex",
        "getPosition",
        "getAngle",
        "getDistance",
        "getWaitingTime",
        "getTimeLoss",
        "getIDList",
        "setSpeed",
    }
)

# Who has taken libsumo, by pid, since a fork cannot use what its parent took. Without a lock: the garbage collector may
# release in the middle of a claim, in the same thread, and setdefault() is one step for all threads.
_owners: dict[int, object] = {}


def claim(owner: object) -> bool:
    """Take libsumo before starting it; False if it is taken already, by ours or anybody's simulation."""
    if _owners.setdefault(os.getpid(), owner) is not owner:
        return False
    if libsumo.isLoaded():
        release(owner)
        return False
    return True


def release(owner: object) -> None:
    """Give libsumo back, if `owner` has taken it."""
    if _owners.get(os.getpid()) is owner:
        _owners.pop(os.getpid(), None)


class _Quick:
    """A domain of libsumo whose most frequent getters are the C functions themselves.

    SWIG wraps a Python function around each, which adds a fifth to the time of a call.
    """

    def __init__(self, name: str, domain: Any) -> None:
        self._name, self._domain = name, domain

    def refresh(self, name: str) -> None:
        """Nothing: every reading is new."""

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._domain, name)
        if name in FREQUENT:
            function = getattr(libsumo._libsumo, f"{self._name}_{name}", function)
        setattr(self, name, function)
        return function


class Libsumo:
    """The simulation in this process; ask `claim()` first where others may want it."""

    def __init__(self, options: Sequence[str]) -> None:
        """Start SUMO.

        Raises:
            BackendError: SUMO does not accept its input.
        """
        self.simulation, self.edge, self.person = libsumo.simulation, libsumo.edge, libsumo.person
        self.trafficlight: Any = _Quick("trafficlight", libsumo.trafficlight)
        self.lane: Any = _Quick("lane", libsumo.lane)
        self.vehicle: Any = _Quick("vehicle", libsumo.vehicle)
        self.gui = None
        try:
            libsumo.start(["sumo", *options])
            self._log = libsumo.simulation.getOption("error-log")  # no other simulation has this one
        except ERRORS as error:
            libsumo.close()
            raise BackendError(str(error)) from error

    def check(self) -> None:
        """Raise BackendError if something else has started or closed libsumo since."""
        if not self._is_ours():
            raise BackendError("libsumo.start() or close() was called in this process by something else")

    def step(self, until: float = 0.0) -> None:
        """Simulate one step, or all those that end by the second `until`."""
        try:
            libsumo.simulationStep(until)
        except ERRORS as error:
            raise BackendError(str(error)) from error

    def close(self) -> None:
        """End the simulation; somebody else's is left alone."""
        if self._is_ours():
            libsumo.close()

    def _is_ours(self) -> bool:
        return bool(libsumo.isLoaded()) and libsumo.simulation.getOption("error-log") == self._log
