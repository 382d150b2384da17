"""The worker process: it builds one object and serves its methods, until the parent closes the channel or dies."""

import ctypes
import gc
import io
import os
import pickle
import signal
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from multiprocessing import connection
from typing import Any, NamedTuple

import cloudpickle  # type: ignore[import-untyped]

BUILD = ""  # the request that builds the hosted object: no method has this name

_HEADER = struct.Struct("<Q?")
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_PARENT_CHECK = 1.0  # s


class Frame(NamedTuple):
    """One message. `number` joins an answer to its request; `ok` is False where `body` is an exception."""

    number: int
    ok: bool
    body: bytes | memoryview


def send(channel: Any, frame: Frame) -> None:
    """Write `frame` to the channel."""
    channel.send_bytes(_HEADER.pack(frame.number, frame.ok) + frame.body)


def receive(channel: Any) -> Frame:
    """Wait for the next frame; EOFError once the other side is gone."""
    message = channel.recv_bytes()
    number, ok = _HEADER.unpack_from(message)
    return Frame(number, ok, memoryview(message)[_HEADER.size :])


def encode(message: object, what: str) -> bytes:
    """`message` as bytes: by pickle where that is enough, since cloudpickle takes three times as long.

    Raises:
        TypeError: `what` (the message's name in the text) cannot be pickled.
    """
    try:
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    except Exception:  # lambdas, local classes: pickle raises half a dozen types for them
        return encode_by_value(message, what)
    return encode_by_value(message, what) if _names_a_script(data) else data


def encode_by_value(message: object, what: str) -> bytes:
    """`message` as bytes, with the code of functions and classes that the other side cannot import."""
    script = sys.modules.get("__mp_main__")  # the user's script, in a child of multiprocessing
    if script is not None:
        cloudpickle.register_pickle_by_value(script)
    try:
        return bytes(cloudpickle.dumps(message))
    except Exception as error:
        raise TypeError(f"{what} cannot be sent between processes: {error}") from error


def _names_a_script(data: bytes) -> bool:
    """Whether a pickle may refer to something by a name that means another thing on the other side."""
    return b"main__" in data or bool(cloudpickle.list_registry_pickle_by_value())


def main(handle: int, parent: int) -> None:
    """The worker's whole life. `handle` is its end of the channel, `parent` the pid of the process that started it."""
    _ignore_interrupts()
    _die_with(parent)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # so that a crash does not swallow what was printed before
    serve(_channel(handle))


def serve(channel: Any) -> None:
    """Answer requests one after the other, until the channel closes."""
    host = _Host()
    for request in _requests(channel):
        ok, body = _answer(host, request)
        send(channel, Frame(request.number, ok, body))


class _Host:
    """What the requests reach: `BUILD` makes the hosted object, any other name is a method of it."""

    def __init__(self) -> None:
        self._hosted: Any = None

    def __call__(self, method: str, args: tuple[Any, ...]) -> object:
        """The method's result; an exception is the hosted object's own."""
        if method != BUILD:
            return getattr(self._hosted, method)(*args)
        (factory,) = args
        self._hosted = factory()
        gc.freeze()  # what has been imported and built stays: the collector need not look at it again
        return None


def _requests(channel: Any) -> Iterator[Frame]:
    while True:
        try:
            yield receive(channel)
        except (EOFError, OSError):  # the parent closed the channel or is gone
            return


def _answer(host: Callable[[str, tuple[Any, ...]], object], request: Frame) -> tuple[bool, bytes]:
    try:
        method, args = pickle.loads(request.body)
        return True, encode(host(method, args), f"the result of {method}()")
    except BaseException as error:  # SystemExit too: only the parent ends the worker
        return False, _encode_error(error)


def _encode_error(error: BaseException) -> bytes:
    """The exception and its traceback as text; a RuntimeError in its place if it does not survive the journey."""
    text = "".join(traceback.format_exception(error))
    try:
        body = encode((error, text), "the exception")
        pickle.loads(body)  # an exception with arguments of its own may pickle, but not unpickle
    except Exception as reason:
        said = "".join(traceback.format_exception_only(error)).strip()
        substitute = RuntimeError(f"{said} [the exception itself cannot be sent between processes: {reason}]")
        return encode((substitute, text), "the exception")
    return body


def _channel(handle: int) -> Any:
    if sys.platform == "win32":
        return connection.PipeConnection(handle)
    os.set_inheritable(handle, False)  # programs that the hosted object starts must not hold it open
    return connection.Connection(handle)


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent, which decides what becomes of the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # blocked by the starting thread


def _die_with(parent: int) -> None:
    """End with the parent: through the kernel on Linux, even in a long C call; elsewhere by looking.

    Looking also finds a parent that died before the kernel was asked, and one whose forked children hold the channel
    open. Windows needs neither: no process inherits the channel there.
    """
    if sys.platform == "win32":
        return
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    threading.Thread(target=_watch, args=(parent,), name="watch-parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PARENT_CHECK)
    os._exit(1)  # without flushing and without exit handlers: nobody is there to read
