"""Starting child processes: all from one thread, because Linux ends a child with the *thread* that started it."""

import functools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue

_Started = Future[subprocess.Popen[bytes]]
_Job = tuple[Callable[[], subprocess.Popen[bytes]], _Started]


def start(popen: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    """What `popen()` returns, called in a thread that lives as long as this process."""
    started: _Started = Future()
    _jobs().put((popen, started))
    try:
        return started.result()
    except BaseException:  # Ctrl-C: the process may come up later
        started.add_done_callback(_discard)
        raise


@functools.cache
def _jobs() -> SimpleQueue[_Job]:
    """The queue of this process's starting thread, which lives as long as the process."""
    jobs: SimpleQueue[_Job] = SimpleQueue()
    threading.Thread(target=_work, args=(jobs,), name="start-children", daemon=True).start()
    return jobs


if os.name == "posix":
    os.register_at_fork(after_in_child=_jobs.cache_clear)  # threads do not survive a fork


def _work(jobs: SimpleQueue[_Job]) -> None:
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # inherited: no Ctrl-C before the child ignores it
    while True:
        _start(*jobs.get())


def _start(job: Callable[[], subprocess.Popen[bytes]], started: _Started) -> None:
    try:
        started.set_result(job())
    except BaseException as error:
        started.set_exception(error)


def stop(process: subprocess.Popen[bytes]) -> None:
    """End `process` by force, if it still runs, and leave no zombie."""
    process.kill()
    process.wait()


def _discard(started: _Started) -> None:
    if started.exception() is None:
        stop(started.result())
