"""Starting worker processes: all from one thread, because Linux ends a child with the *thread* that started it."""

import functools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any

_Started = Future[subprocess.Popen[bytes]]
_Job = tuple[Callable[[], subprocess.Popen[bytes]], _Started]


def launch(handle: int) -> subprocess.Popen[bytes]:
    """Start a worker that inherits `handle`, its end of the channel, and nothing else but the standard streams."""
    started: _Started = Future()
    _jobs().put((functools.partial(_popen, handle), started))
    try:
        return started.result()
    except BaseException:  # Ctrl-C: the process may come up later
        started.add_done_callback(_discard)
        raise


@functools.cache
def _jobs() -> SimpleQueue[_Job]:
    """The queue of this process's starting thread, which lives as long as the process."""
    jobs: SimpleQueue[_Job] = SimpleQueue()
    threading.Thread(target=_start_workers, args=(jobs,), name="start-workers", daemon=True).start()
    return jobs


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_jobs.cache_clear)  # threads do not survive a fork


def _start_workers(jobs: SimpleQueue[_Job]) -> None:
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # inherited: no Ctrl-C before the worker ignores it
    while True:
        _start(*jobs.get())


def _start(job: Callable[[], subprocess.Popen[bytes]], started: _Started) -> None:
    try:
        started.set_result(job())
    except BaseException as error:
        started.set_exception(error)


def _popen(handle: int) -> subprocess.Popen[bytes]:
    # sys.path goes first, and with -c: without it the worker might not find this package, or find the user's
    # "random.py" in the current folder before Python's own.
    path = [entry for entry in sys.path if isinstance(entry, str)]  # Python's import skips others, too
    code = (
        f"import sys; sys.path[:] = {path!a}; "
        f"from sumo_gymnasium.envs.worker import main; main({handle}, {os.getpid()})"
    )
    return subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.DEVNULL, **_inheriting(handle))


def _inheriting(handle: int) -> dict[str, Any]:
    if sys.platform == "win32":
        os.set_handle_inheritable(handle, True)
        only = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})
        return {"startupinfo": only, "creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}  # a group without Ctrl-C
    return {"pass_fds": (handle,)}


def _discard(started: _Started) -> None:
    if started.exception() is None:
        started.result().kill()
        started.result().wait()
