"""How a worker dies or is ended: each death is told, no answer goes astray, nothing stays behind."""

import ctypes
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sumo_gymnasium.envs import remote
from sumo_gymnasium.envs.remote import Worker, WorkerDied
from sumo_gymnasium.errors import NotRunning
from tests.envs.hosted import Hosted, no_process, pid

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
posix = pytest.mark.skipif(os.name != "posix", reason="sends signals")


@pytest.fixture
def own() -> Iterator[Worker]:
    """A worker that the test may kill."""
    worker = Worker(Hosted)
    yield worker
    worker.close()


@posix
@pytest.mark.parametrize(("death", "name"), [(os.abort, "SIGABRT"), (lambda: ctypes.string_at(0), "SIGSEGV")])
def test_death__is_told_with_its_signal(own: Worker, death: Callable[[], None], name: str) -> None:
    process = pid(own)
    with pytest.raises(WorkerDied, match=rf"killed by {name} in run\(\)") as caught:
        own.call("run", death)
    assert caught.value.signal_name == name
    assert caught.value.exit_code == -getattr(signal, name)
    assert not own.alive
    assert no_process(process)
    with pytest.raises(NotRunning, match="reset"):
        own.call("echo")


@posix
def test_death__between_calls_is_told_by_the_next(own: Worker) -> None:
    os.kill(pid(own), signal.SIGKILL)
    with pytest.raises(WorkerDied, match=r"SIGKILL.*out of memory\?"):
        own.call("echo")


@linux
def test_death__is_noticed_although_a_fork_of_the_worker_holds_the_channel(own: Worker) -> None:
    def fork_and_die() -> None:
        if os.fork() == 0:
            time.sleep(4)
            os._exit(0)
        os._exit(9)

    start = time.monotonic()
    with pytest.raises(WorkerDied, match="exit code 9"):
        own.call("run", fork_and_die)
    assert time.monotonic() - start < 3


@posix
def test_timeout__kills_a_call_that_holds_the_gil() -> None:
    worker = Worker(Hosted)
    process = pid(worker)
    with pytest.raises(WorkerDied, match=r"run\(\) took longer than 0.3 s.*step_timeout"):
        worker.call("run", lambda: ctypes.PyDLL(None).sleep(60), timeout=0.3)
    assert no_process(process)


@posix
def test_interrupt__kills_the_worker_so_that_no_later_call_gets_its_answer(own: Worker) -> None:
    process = pid(own)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        own.call("run", time.sleep, 0.5)
    assert no_process(process)
    with pytest.raises(NotRunning, match="interrupted"):
        own.call("echo", "later")


@posix
def test_answer__to_another_request_kills_the_worker(own: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    process = pid(own)
    with monkeypatch.context() as patch:
        patch.setattr(remote._Child, "kill", lambda child: None)  # as if a second Ctrl-C had struck in it
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            own.call("run", time.sleep, 0.4)
    with pytest.raises(WorkerDied, match=r"answer \d came to request \d"):
        own.call("echo", "later")
    assert no_process(process)


@posix
def test_interrupt__of_the_start_leaves_nothing(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    path = str(note)

    def slow() -> Hosted:
        Path(path).write_text(str(os.getpid()))
        time.sleep(30)
        return Hosted()

    threading.Timer(0.0, wait_and_interrupt, (note,)).start()
    with pytest.raises(KeyboardInterrupt):
        Worker(slow)
    assert no_process(int(note.read_text()))


def wait_and_interrupt(note: Path) -> None:
    while not note.exists() or not note.read_text():
        time.sleep(0.02)
    os.kill(os.getpid(), signal.SIGINT)


@posix
def test_interrupt__by_a_handlers_own_timeout_comes_through(own: Worker) -> None:
    def ring(*_: object) -> None:
        raise TimeoutError("the user's own alarm")

    previous = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(TimeoutError, match="own alarm"):
            own.call("run", time.sleep, 5)
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert not own.alive


@posix
def test_call__inside_another_call_is_refused(own: Worker) -> None:
    previous = signal.signal(signal.SIGALRM, lambda *_: own.call("echo", "inner"))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(RuntimeError, match="inside another call"):
            own.call("run", time.sleep, 1)
    finally:
        signal.signal(signal.SIGALRM, previous)
    with pytest.raises(NotRunning):
        own.call("echo", "later")


@linux
def test_close__closes_the_object_and_ends_the_process_once(tmp_path: Path) -> None:
    path = str(tmp_path / "closed")

    class Noting(Hosted):
        def close(self) -> None:
            with open(path, "a") as file:
                file.write("closed\n")

    worker = Worker(Noting)
    process = pid(worker)
    worker.close()
    worker.close()
    assert Path(path).read_text() == "closed\n"
    assert no_process(process)
    assert not worker.alive
    with pytest.raises(NotRunning, match="closed"):
        worker.call("echo")


@linux
def test_close__gives_the_objects_exception_after_the_process_ended() -> None:
    class Unwilling(Hosted):
        def close(self) -> None:
            raise OSError("disk full")

    worker = Worker(Unwilling)
    process = pid(worker)
    with pytest.raises(OSError, match="disk full"):
        worker.close()
    assert no_process(process)
    worker.close()


@linux
def test_close__kills_what_does_not_close_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck(Hosted):
        def close(self) -> None:
            time.sleep(60)

    monkeypatch.setattr(remote, "_GRACE", remote._GRACE._replace(seconds=0.2))
    worker = Worker(Stuck)
    process = pid(worker)
    with pytest.warns(RuntimeWarning, match=r"close\(\) took longer"):
        worker.close()
    assert no_process(process)


@linux
def test_close__from_another_thread_ends_a_busy_call(own: Worker) -> None:
    process = pid(own)
    threading.Timer(0.2, own.close).start()
    with pytest.raises(WorkerDied):
        own.call("run", time.sleep, 30)
    assert no_process(process)


@linux
def test_drop__ends_the_process() -> None:
    worker = Worker(Hosted)
    process = pid(worker)
    del worker
    gc.collect()
    assert no_process(process)
