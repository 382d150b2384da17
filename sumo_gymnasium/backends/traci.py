"""SUMO as a process of its own, with its window if asked for; repeated reads cost one message a step."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import IO, Any

from sumolib.miscutils import getFreeSocketPort
from traci import constants as tc
from traci.connection import Connection
from traci.exceptions import FatalTraCIError, TraCIException

from sumo_gymnasium.backends import BackendError
from sumo_gymnasium.scenarios.tools import binary, environment

START_TIMEOUT = 60.0  # s; SUMO opens its port before it loads the network

# Linux: the child is killed with the thread that started it (prctl's PR_SET_PDEATHSIG = 1, SIGKILL = 9 survive exec).
LAUNCHER = "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9); os.execv(sys.argv[1], sys.argv[1:])"

# The reads that are worth a subscription: asked again and again for the same lane or vehicle.
LANE_READS = {
    "getLastStepVehicleIDs": tc.LAST_STEP_VEHICLE_ID_LIST,
    "getLastStepVehicleNumber": tc.LAST_STEP_VEHICLE_NUMBER,
    "getLastStepHaltingNumber": tc.LAST_STEP_VEHICLE_HALTING_NUMBER,
    "getLastStepLength": tc.LAST_STEP_LENGTH,
    "getLastStepMeanSpeed": tc.LAST_STEP_MEAN_SPEED,
    "getLastStepOccupancy": tc.LAST_STEP_OCCUPANCY,
}
VEHICLE_READS = {
    "getSpeed": tc.VAR_SPEED,
    "getAccumulatedWaitingTime": tc.VAR_ACCUMULATED_WAITING_TIME,
    "getWaitingTime": tc.VAR_WAITING_TIME,
    "getPosition": tc.VAR_POSITION,
    "getAngle": tc.VAR_ANGLE,
    "getLength": tc.VAR_LENGTH,
    "getWidth": tc.VAR_WIDTH,
}


class Traci:
    """The simulation in a child process, spoken to over a local socket."""

    def __init__(self, options: Sequence[str], gui: bool = False) -> None:
        """Start SUMO and connect.

        Raises:
            BackendError: SUMO does not accept its input, or does not answer.
        """
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process that writes it
        self._process, self._connection = _start([binary("sumo-gui" if gui else "sumo"), *options], self._words)
        connection = self._connection
        self.simulation, self.trafficlight = connection.simulation, connection.trafficlight
        self.edge, self.person = connection.edge, connection.person
        self.lane: Any = Subscribed(connection.lane, LANE_READS)
        self.vehicle: Any = Subscribed(connection.vehicle, VEHICLE_READS)
        self.gui = connection.gui if gui else None
        self._call(connection.getVersion)  # waits until SUMO has loaded

    def step(self) -> None:
        """Simulate one step."""
        self._call(self._connection.simulationStep)

    def close(self) -> None:
        """End the simulation."""
        with suppress(TraCIException, FatalTraCIError, OSError):
            self._connection.close(wait=False)
        _end(self._process)

    def _call(self, command: Callable[[], Any]) -> Any:
        try:
            return command()
        except (TraCIException, FatalTraCIError, OSError) as error:
            self.close()
            raise BackendError(_last_words(self._words) or str(error)) from error


class Subscribed:
    """A TraCI domain whose frequent reads are subscribed to at their first use, so that each step brings them along."""

    def __init__(self, domain: Any, reads: Mapping[str, int]) -> None:
        self._domain = domain
        self._variables = reads
        self._asked: list[int] = []

    def __getattr__(self, name: str) -> Any:
        variable = self._variables.get(name)
        read = getattr(self._domain, name) if variable is None else self._subscribed(variable)
        setattr(self, name, read)
        return read

    def _subscribed(self, variable: int) -> Callable[[str], Any]:
        results = self._domain.getSubscriptionResults
        self._asked.append(variable)

        def read(name: str) -> Any:
            found = results(name)
            if not found or variable not in found:
                self._domain.subscribe(name, self._asked)
                found = results(name)
            return found[variable]

        return read


class _Connection(Connection):  # type: ignore[misc]  # traci is not typed
    """A connection that an interrupted answer breaks: the next read would get that answer instead of its own."""

    def _sendExact(self) -> Any:  # noqa: N802 - traci's name
        try:
            return super()._sendExact()
        except TraCIException:
            raise
        except BaseException:
            self._process.kill()
            if self._socket is not None:
                self._socket.close()
            raise


def _start(command: list[str], words: IO[bytes]) -> tuple["subprocess.Popen[bytes]", _Connection]:
    port = getFreeSocketPort()
    command = [*command, "--remote-port", str(port), "--num-clients", "1"]
    if sys.platform == "linux":
        command = [sys.executable, "-I", "-S", "-c", LAUNCHER, *command]
    process = subprocess.Popen(command, env=environment(), stdin=subprocess.DEVNULL, stderr=words)
    try:
        return process, _connect(process, port, words)
    except BaseException:
        _end(process)
        raise


def _connect(process: "subprocess.Popen[bytes]", port: int, words: IO[bytes]) -> _Connection:
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise BackendError(_last_words(words) or f"SUMO ended while starting (exit code {process.returncode})")
        try:
            return _Connection("127.0.0.1", port, process, None, False)
        except OSError:
            time.sleep(0.02)
    raise BackendError(f"SUMO did not open its port within {START_TIMEOUT:g} s")


def _end(process: "subprocess.Popen[bytes]") -> None:
    try:
        process.wait(timeout=2.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _last_words(words: IO[bytes]) -> str:
    """What SUMO wrote to its stderr: over the connection it only says that it closed."""
    words.seek(0)
    return words.read().decode("utf-8", "replace").strip()
