"""The parent's side of a worker: its methods are called from here, and its death is told from a user's exception."""

import math
import os
import pickle
import signal
import subprocess
import threading
import time
import warnings
import weakref
from collections.abc import Callable
from multiprocessing import connection
from typing import Any, NamedTuple, Protocol

from sumo_gymnasium.envs.launch import launch
from sumo_gymnasium.envs.worker import BUILD, Frame, encode, encode_by_value, receive, send
from sumo_gymnasium.errors import NotRunning, SumoGymnasiumError

_LOOK = 1.0  # s, between two looks whether a silent worker lives


class _Limit(NamedTuple):
    """How long a call may take, and what to tell the user if it takes longer."""

    seconds: float
    advice: str


_GRACE = _Limit(5.0, "its last outputs may be incomplete")


class Closable(Protocol):
    """What a worker can host: any object that can be closed."""

    def close(self) -> object:
        """Let go of everything; called once, as the worker's last method."""


class WorkerDied(SumoGymnasiumError, RuntimeError):
    """The worker process ended, or was ended, before it answered."""

    def __init__(self, message: str, exit_code: int | None = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code

    @property
    def signal_name(self) -> str | None:
        """The signal that ended the process ("SIGKILL"); None if it ended itself."""
        return _signal_name(self.exit_code)


class RemoteTraceback(Exception):
    """The traceback in the worker, as text: the cause of an exception that came from there."""

    def __str__(self) -> str:
        return f'\n"""\n{self.args[0]}"""'


class Worker:
    """A process that builds `factory()` and runs its methods.

    The constructor returns once the object stands. A worker ends with `close()`, when it is dropped, and with the
    process that made it, however that ends. A fork of that process can neither use nor harm it.

    Args:
        factory: makes the hosted object, in the worker; it may be a lambda, or come from the user's script.

    Raises:
        WorkerDied: the process ended before the object stood. What `factory` raises comes through as it is.
    """

    def __init__(self, factory: Callable[[], Closable]) -> None:
        request = encode_by_value((BUILD, (factory,)), "the factory")
        self._maker = os.getpid()
        self._child = _Child()
        self._finish = weakref.finalize(self, _finish, self._child, self._maker)
        try:
            _value(self._child.ask(request, "start", None), "start")
        except BaseException:
            self._child.kill()
            self._finish.detach()
            raise

    @property
    def alive(self) -> bool:
        """Whether the worker can be called; False in a fork of the process that made it."""
        return os.getpid() == self._maker and self._child.alive

    def call(self, method: str, *args: Any, timeout: float | None = None) -> Any:
        """The result of the hosted object's `method`; an exception comes with the worker's traceback as its cause.

        A call that takes longer than `timeout` seconds kills the worker; None waits for ever. If anything else
        interrupts the wait, Ctrl-C above all, the worker is killed too: no later call can get its answer.

        Raises:
            WorkerDied: the process died, or took longer than the timeout and was killed.
            NotRunning: the worker had ended before, or belongs to the process that this one was forked from.
            TypeError: the arguments or the result cannot be sent between processes; the worker lives on.
        """
        if os.getpid() != self._maker:
            raise NotRunning(
                f"{method}(): the worker belongs to process {self._maker}, and this is process {os.getpid()}, a fork "
                f"of it: make the env here, or call reset()"
            )
        if self._child.ended:
            raise NotRunning(f"{method}(): the worker process has ended (closed, interrupted or died): call reset()")
        request = encode((method, args), f"an argument of {method}()")
        limit = None if timeout is None else _Limit(timeout, "raise `step_timeout`, or set it to None to wait for ever")
        return _value(self._child.ask(request, method, limit), method)

    def close(self) -> None:
        """Close the hosted object and end the process, by force if it takes longer than 5 s. Twice does no harm."""
        self._finish()


def _finish(child: "_Child", maker: int) -> None:
    if os.getpid() == maker:
        child.close()


def _value(answer: Frame, method: str) -> Any:
    try:
        value = pickle.loads(answer.body)
    except Exception as error:
        raise TypeError(f"the answer of {method}() cannot be read in this process: {error}") from error
    if answer.ok:
        return value
    raised, text = value
    raise raised from RemoteTraceback(text)


class _Child:
    """The process and the channel to it: one request at a time, and each answer belongs to its request."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._asking = False
        self._number = 0
        self._channel, theirs = connection.Pipe()
        try:
            self._process = launch(_handle(theirs))
        finally:
            theirs.close()

    @property
    def ended(self) -> bool:
        """Whether the end of the process has been dealt with."""
        return self._channel.closed

    @property
    def alive(self) -> bool:
        return not self.ended and self._process.poll() is None

    def ask(self, request: bytes, method: str, limit: _Limit | None) -> Frame:
        """Send the request and wait for its answer; other threads wait for their turn."""
        with self._lock:
            if self._asking:
                raise RuntimeError(f"{method}() was called inside another call of the same worker (a signal handler?)")
            try:
                self._asking = True
                return self._exchange(request, method, limit)
            except BaseException:
                self.kill()
                raise
            finally:
                self._asking = False

    def close(self) -> None:
        """End the process: in good order if it is idle, by force if it is busy in another thread's call."""
        if not self._lock.acquire(blocking=False):
            self._process.kill()
            return
        try:
            if not self.alive or self._asking:
                self.kill()
            else:
                self._close_hosted()
        finally:
            self._lock.release()

    def kill(self) -> None:
        """End the process by force, and leave no zombie."""
        self._process.kill()
        self._channel.close()
        self._process.wait()

    def _close_hosted(self) -> None:
        answer: Frame | None = None
        try:
            answer = self._exchange(encode(("close", ()), "close"), "close", _GRACE)
            self._channel.close()
            self._process.wait(_GRACE.seconds)
        except (WorkerDied, subprocess.TimeoutExpired) as reason:
            warnings.warn(f"the worker did not close in good order: {reason}", RuntimeWarning, stacklevel=2)
        finally:
            self.kill()
        if answer is not None:
            _value(answer, "close")

    def _exchange(self, request: bytes, method: str, limit: _Limit | None) -> Frame:
        self._number += 1
        try:
            send(self._channel, Frame(self._number, True, request))
            self._wait(method, limit)
            answer = receive(self._channel)
        except TimeoutError:  # a signal handler's: an OSError, but none of the channel
            raise
        except (EOFError, OSError):
            raise self._death(method) from None
        if answer.number != self._number:
            raise WorkerDied(f"{method}(): answer {answer.number} came to request {self._number}")
        return answer

    def _wait(self, method: str, limit: _Limit | None) -> None:
        """Until an answer can be read. A dead worker's channel can stay open, if a fork of either side holds it."""
        deadline = time.monotonic() + limit.seconds if limit else math.inf
        while not self._channel.poll(min(_LOOK, max(0.0, deadline - time.monotonic()))):
            if self._process.poll() is not None and not self._channel.poll():
                raise EOFError
            if limit and time.monotonic() >= deadline:
                raise WorkerDied(
                    f"{method}() took longer than {limit.seconds:g} s, so the worker process {self._process.pid} was "
                    f"killed: {limit.advice}"
                )

    def _death(self, method: str) -> WorkerDied:
        """What became of the process, once its channel is closed."""
        try:
            code = self._process.wait(_GRACE.seconds)
        except subprocess.TimeoutExpired:
            return WorkerDied(f"the worker process {self._process.pid} closed its channel in {method}()")
        name = _signal_name(code)
        how = f"was killed by {name}" if name else f"ended with exit code {code}"
        hint = " (out of memory?)" if name == "SIGKILL" else ""
        return WorkerDied(f"the worker process {self._process.pid} {how} in {method}(){hint}", code)


def _signal_name(exit_code: int | None) -> str | None:
    if exit_code is None or exit_code >= 0:
        return None
    known = {number.value: number.name for number in signal.Signals}
    return known.get(-exit_code, f"signal {-exit_code}")


def _handle(channel: Any) -> int:
    """The file descriptor, or Windows' handle, of one end of a channel."""
    return int(channel.fileno())
