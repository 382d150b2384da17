"""What a worker answers: results, exceptions, and what cannot travel."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import libsumo
import pytest

from sumo_gymnasium.envs.remote import RemoteTraceback, Worker, WorkerDied
from sumo_gymnasium.scenarios.tools import run
from tests.envs.hosted import Hosted, pid


class TwoArgumentsError(Exception):
    """Pickles, but does not unpickle."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


class CrowdError(Exception):
    pass


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    worker = Worker(Hosted)
    yield worker
    assert worker.alive, "a test that shares the worker killed it"
    worker.close()


def test_call__runs_in_another_process_and_keeps_its_object(worker: Worker) -> None:
    assert pid(worker) not in (0, os.getpid())
    assert worker.call("echo", 1, "two", None) == (1, "two", None)
    worker.call("run", lambda: setattr(sys, "note", 5))
    assert worker.call("run", lambda: sys.note) == 5  # type: ignore[attr-defined]
    assert worker.alive


def test_call__carries_large_messages_both_ways(worker: Worker) -> None:
    block = os.urandom(5_000_000)
    assert worker.call("echo", block) == (block,)


def test_call__carries_lambdas_and_local_classes(worker: Worker) -> None:
    class Local:
        size = 3

    offset = 4
    assert worker.call("run", lambda local: local.size + offset, Local()) == 7
    assert worker.call("run", lambda: Local())  # a result of a class that has no name to import


def test_call__from_several_threads_gives_each_its_own_answer(worker: Worker) -> None:
    right: list[int] = []

    def ask(number: int) -> None:
        right.extend(number for _ in range(50) if worker.call("echo", number) == (number,))

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(right) == 4 * 50


def test_exception__comes_back_with_its_type_arguments_and_remote_traceback(worker: Worker) -> None:
    def fail_far_away() -> None:
        raise CrowdError("too many", 3)

    with pytest.raises(CrowdError) as caught:
        worker.call("run", fail_far_away)
    assert caught.value.args == ("too many", 3)
    assert isinstance(caught.value.__cause__, RemoteTraceback)
    assert "in fail_far_away" in str(caught.value.__cause__)
    assert worker.call("echo", 1) == (1,)


@pytest.mark.parametrize(
    "error", [SystemExit(3), KeyboardInterrupt("mine"), GeneratorExit(), MemoryError(), EOFError()]
)
def test_exception__of_any_kind_is_no_death(worker: Worker, error: BaseException) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        worker.call("run", fail)
    assert caught.value.args == error.args
    assert worker.alive


def test_exception__that_cannot_travel_becomes_a_runtime_error_with_its_text(worker: Worker) -> None:
    def unpicklable() -> None:
        raise ValueError("holds a lock", threading.Lock())

    def not_unpicklable() -> None:
        raise TwoArgumentsError(1, 2)

    with pytest.raises(RuntimeError, match=r"ValueError.*holds a lock"):
        worker.call("run", unpicklable)
    with pytest.raises(RuntimeError, match="TwoArgumentsError: 1 and 2") as caught:
        worker.call("run", not_unpicklable)
    assert "in not_unpicklable" in str(caught.value.__cause__)
    assert worker.alive


def test_value__that_cannot_travel_is_a_type_error(worker: Worker) -> None:
    with pytest.raises(TypeError, match=r"result of run\(\).*lock"):
        worker.call("run", threading.Lock)
    with pytest.raises(TypeError, match=r"argument of echo\(\).*lock"):
        worker.call("echo", threading.Lock())
    lock = threading.Lock()

    def locked() -> Hosted:
        with lock:
            return Hosted()

    with pytest.raises(TypeError, match=r"the factory cannot be sent.*lock"):
        Worker(locked)
    assert worker.call("echo", 1) == (1,)


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_interrupt__does_not_reach_the_worker(worker: Worker) -> None:
    os.kill(pid(worker), signal.SIGINT)
    assert worker.call("run", lambda: signal.getsignal(signal.SIGINT) is signal.SIG_IGN)
    assert worker.call("run", lambda: signal.pthread_sigmask(signal.SIG_BLOCK, ())) == set()


def test_method__that_does_not_exist_is_an_attribute_error(worker: Worker) -> None:
    with pytest.raises(AttributeError, match="stepp"):
        worker.call("stepp")


def test_print__goes_to_the_users_streams_even_before_a_crash(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    worker = Worker(Hosted)

    def speak() -> None:
        print("a word")
        print("a complaint", file=sys.stderr)
        os._exit(3)

    with pytest.raises(WorkerDied, match="exit code 3") as caught:
        worker.call("run", speak)
    assert (caught.value.exit_code, caught.value.signal_name) == (3, None)
    assert capfd.readouterr() == ("a word\n", "a complaint\n")


def test_sumo__runs_in_each_worker_for_itself(tmp_path: Path) -> None:
    net = str(tmp_path / "one.net.xml")
    run("netgenerate", "--grid", "--grid.number", "2", "--output-file", net)

    class Simulation(Hosted):
        def __init__(self) -> None:
            libsumo.start(["sumo", "--net-file", net, "--no-step-log"])

        def step(self) -> float:
            libsumo.simulationStep()
            return float(libsumo.simulation.getTime())

        def close(self) -> None:
            libsumo.close()

    one, two = Worker(Simulation), Worker(Simulation)
    assert [one.call("step"), one.call("step"), two.call("step"), one.call("step")] == [1.0, 2.0, 1.0, 3.0]
    one.close()
    two.close()
