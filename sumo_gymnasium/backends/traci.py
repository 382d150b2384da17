"""SUMO as a process of its own, with its window if asked for; repeated reads cost one message a step."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import IO, Any

from sumolib.miscutils import getFreeSocketPort
from traci import constants as tc
from traci.connection import Connection, FatalTraCIError, TraCIException  # libsumo replaces that of traci.exceptions

from sumo_gymnasium.backends import BackendError, children
from sumo_gymnasium.scenarios.tools import binary, environment

START_TIMEOUT = 60.0  # s; SUMO opens its port before it loads the network
END_TIMEOUT = 30.0  # s, to write its files

# the window waits for nobody's click, neither to begin nor to close
PLAY = ("--start", "true", "--quit-on-end", "true")

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
    "getAcceleration": tc.VAR_ACCELERATION,
    "getSpeedWithoutTraCI": tc.VAR_SPEED_WITHOUT_TRACI,
    "getMaxSpeed": tc.VAR_MAXSPEED,
    "getAllowedSpeed": tc.VAR_ALLOWED_SPEED,
    "getLaneID": tc.VAR_LANE_ID,
    "getLaneIndex": tc.VAR_LANE_INDEX,
    "getLanePosition": tc.VAR_LANEPOSITION,
    "getRoadID": tc.VAR_ROAD_ID,
    "getRoute": tc.VAR_EDGES,
    "getRouteIndex": tc.VAR_ROUTE_INDEX,
    "getDistance": tc.VAR_DISTANCE,
    "getTimeLoss": tc.VAR_TIMELOSS,
    "getFuelConsumption": tc.VAR_FUELCONSUMPTION,
    "getCO2Emission": tc.VAR_CO2EMISSION,
    "getMinGap": tc.VAR_MINGAP,
    "getTypeID": tc.VAR_TYPE,
}


class Traci:
    """The simulation in a child process, spoken to over a local socket."""

    def __init__(self, options: Sequence[str], gui: bool = False, timeout: float | None = None) -> None:
        """Start SUMO and connect. Once it has loaded, an answer may take `timeout` seconds; None: for ever.

        Raises:
            BackendError: SUMO does not accept its input, or does not answer.
        """
        program = [binary("sumo-gui"), *options, *PLAY] if gui else [binary("sumo"), *options]
        self._connection = connection = _start(program)
        self.simulation, self.trafficlight = connection.simulation, connection.trafficlight
        self.edge, self.person = connection.edge, connection.person
        self.lane: Any = Subscribed(connection.lane, LANE_READS)
        self.vehicle: Any = Subscribed(connection.vehicle, VEHICLE_READS)
        self.gui = connection.gui if gui else None
        connection.getVersion()  # waits until SUMO has loaded
        connection.limit(timeout)

    def check(self) -> None:
        """Nobody else can have this connection."""

    def step(self, until: float = 0.0) -> None:
        """Simulate one step, or all those that end by the second `until`."""
        try:
            self._connection.simulationStep(until)
        except TraCIException as error:
            raise BackendError(str(error)) from error

    def close(self) -> None:
        """End the simulation."""
        try:
            with suppress(TraCIException, BackendError):
                self._connection.close(wait=False)
        finally:
            self._connection.end()


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

    def refresh(self, name: str) -> None:
        """Read again what is subscribed to of a lane or vehicle: something was changed since the last step."""
        if self._asked:
            self._domain.subscribe(name, self._asked)

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
    """A connection to SUMO's process. What breaks it ends the process, and raises BackendError with SUMO's last words.

    An interrupted answer breaks it too: the next read would get that answer instead of its own.
    """

    _socket: Any

    def __init__(self, port: int, process: "subprocess.Popen[bytes]", words: IO[bytes]) -> None:
        super().__init__("127.0.0.1", port, process, None, False)
        self._words = words
        self._limit: float | None = None

    def limit(self, seconds: float | None) -> None:
        """How long an answer may take."""
        self._limit = seconds
        self._socket.settimeout(seconds)

    def end(self) -> None:
        """End the process, by force if it does not end by itself."""
        _end(self._process)
        self._words.close()

    def _sendExact(self) -> Any:  # noqa: N802 - traci's name
        asked = time.monotonic()
        try:
            return super()._sendExact()
        except TraCIException:
            raise
        except (FatalTraCIError, OSError) as error:  # traci makes of a timeout that SUMO closed the connection
            late = self._limit is not None and time.monotonic() - asked >= self._limit
            self._break()
            said = f"SUMO took longer than step_timeout={self._limit:g} s and was killed" if late else self._said()
            raise BackendError(said or str(error)) from error
        except BaseException:
            self._break()
            raise

    def _break(self) -> None:
        children.stop(self._process)
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _said(self) -> str:
        return "" if self._words.closed else _last_words(self._words)


def _start(command: list[str]) -> _Connection:
    port = getFreeSocketPort()
    command = [*command, "--remote-port", str(port), "--num-clients", "1"]
    if sys.platform == "linux":
        command = [sys.executable, "-I", "-S", "-c", LAUNCHER, *command]
    words = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process that writes it
    process = children.start(partial(_popen, command, words))
    try:
        return _connect(process, port, words)
    except BaseException:
        children.stop(process)
        raise


def _popen(command: list[str], words: IO[bytes]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command, env=environment(), stdin=subprocess.DEVNULL, stderr=words)


def _connect(process: "subprocess.Popen[bytes]", port: int, words: IO[bytes]) -> _Connection:
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise BackendError(_last_words(words) or f"SUMO ended while starting (exit code {process.returncode})")
        try:
            return _Connection(port, process, words)
        except OSError:
            time.sleep(0.02)
    raise BackendError(f"SUMO did not open its port within {START_TIMEOUT:g} s")


def _end(process: "subprocess.Popen[bytes]") -> None:
    try:
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=END_TIMEOUT)
    finally:  # also when Ctrl-C comes, or the time is over
        children.stop(process)


def _last_words(words: IO[bytes]) -> str:
    """What SUMO wrote to its stderr: over the connection it only says that it closed."""
    words.seek(0)
    return words.read().decode("utf-8", "replace").strip()
