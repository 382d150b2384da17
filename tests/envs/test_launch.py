"""How a worker starts, and that it ends with the process that started it, in whatever way that ends."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from importlib import import_module
from pathlib import Path

import pytest

from sumo_gymnasium.envs.remote import Worker, WorkerDied
from tests.envs.hosted import Hosted, ended, ends, no_process

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def test_start__finds_modules_of_the_parents_path_and_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = (
        "class Signalbox:\n    def folder(self):\n        import os; return os.getcwd()\n    def close(self): pass\n"
    )
    (tmp_path / "signalbox_of_a_user.py").write_text(module)
    (tmp_path / "random.py").write_text("raise ImportError('shadows the standard library')")
    monkeypatch.syspath_prepend(tmp_path)
    signalbox = import_module("signalbox_of_a_user")
    sys.path.remove(str(tmp_path))
    sys.path.append(str(tmp_path))  # as PYTHONPATH could not: "random" in that folder comes last
    monkeypatch.chdir(tmp_path)
    worker = Worker(signalbox.Signalbox)
    assert worker.call("folder") == str(tmp_path)
    worker.close()


def test_start__gives_the_factorys_exception_and_leaves_nothing() -> None:
    def fail() -> Hosted:
        raise ValueError(f"no such net in {os.getpid()}")

    with pytest.raises(ValueError, match="no such net") as caught:
        Worker(fail)
    assert no_process(int(str(caught.value).split()[-1]))


def test_start__that_dies_is_told_and_does_not_block(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WorkerDied, match="exit code 7") as caught:
        Worker(lambda: os._exit(7))
    assert caught.value.exit_code == 7
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(WorkerDied, match="exit code 1"):
        Worker(Hosted)
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(FileNotFoundError):
        Worker(Hosted)


@linux
def test_start__inherits_no_channel_of_another_worker() -> None:
    def sockets() -> set[str]:
        links = (os.path.join("/proc/self/fd", fd) for fd in os.listdir("/proc/self/fd"))
        return {os.readlink(link) for link in links if os.path.lexists(link) and "socket" in os.readlink(link)}

    before = sockets()
    first, second = Worker(Hosted), Worker(Hosted)
    channels = [worker.call("run", sockets) - before for worker in (first, second)]
    assert [len(channel) for channel in channels] == [1, 1]
    assert channels[0] != channels[1]


SCRIPT = """
import ctypes, os, signal, sys, threading, time
from sumo_gymnasium.envs.remote import Worker
from sumo_gymnasium.errors import NotRunning

class Custom(Exception): pass

class Hosted:
    def run(self, function, *args): return function(*args)
    def block(self): ctypes.PyDLL(None).sleep(60)
    def fail(self): raise Custom("mine")
    def close(self): print("closed", flush=True)

def tell(*words): print(*words, flush=True)
"""


def started(body: str, *options: str) -> "subprocess.Popen[str]":
    code = SCRIPT + textwrap.dedent(body)
    command = [sys.executable, *options, "-c", code]
    root = str(Path(__file__).parents[2])
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": root})


def outcome(body: str) -> list[str]:
    with started(body) as parent:
        assert parent.stdout is not None
        said = parent.stdout.read().split("\n")
    assert parent.returncode == 0
    return [line for line in said if line]


def read(parent: "subprocess.Popen[str]") -> str:
    assert parent.stdout is not None
    return parent.stdout.readline().strip()


def kill_parent(parent: "subprocess.Popen[str]") -> None:
    parent.kill()
    parent.wait()
    assert parent.stdout is not None
    parent.stdout.close()


@linux
def test_parent__killed_takes_a_worker_along_that_is_in_a_long_c_call() -> None:
    parent = started("""
        workers = []
        def make(): workers.append(Worker(Hosted))
        thread = threading.Thread(target=make); thread.start(); thread.join()
        time.sleep(0.2)
        tell(workers[0].call("run", os.getpid))  # the thread that made it has ended: it lives
        workers[0].call("block")
    """)
    worker = int(read(parent))
    time.sleep(0.2)
    assert not ended(worker)
    kill_parent(parent)
    assert ends(worker)


@linux
@pytest.mark.parametrize("disarm", [False, True], ids=["by the kernel", "by looking"])
def test_parent__killed_takes_the_worker_along_although_a_fork_holds_the_channel(disarm: bool) -> None:
    parent = started(f"""
        worker = Worker(Hosted)
        tell(worker.call("run", os.getpid))
        if {disarm}:
            worker.call("run", lambda: ctypes.CDLL(None).prctl(1, 0, 0, 0, 0))
        sibling = os.fork()
        if sibling:
            tell(sibling)
        time.sleep(60)
    """)
    worker, sibling = int(read(parent)), int(read(parent))
    try:
        assert not ended(worker)
        kill_parent(parent)
        assert ends(worker)
        assert not ended(sibling)
    finally:
        os.kill(sibling, signal.SIGKILL)


@linux
def test_parent__that_ends_normally_closes_its_worker() -> None:
    pid, word = outcome("""
        worker = Worker(Hosted)
        tell(worker.call("run", os.getpid))
    """)
    assert word == "closed"
    assert ended(int(pid))


@linux
def test_fork__can_neither_use_nor_harm_the_worker_but_make_its_own() -> None:
    said = outcome("""
        worker = Worker(Hosted)
        first = worker.call("run", os.getpid)
        if os.fork() == 0:
            try:
                worker.call("run", os.getpid)
            except NotRunning as error:
                tell("fork of it" in str(error), worker.alive)
            worker.close()
            del worker
            own = Worker(Hosted)
            tell(own.call("run", os.getppid) == os.getpid())
            sys.exit(0)  # with all exit handlers
        os.wait()
        tell(worker.call("run", os.getpid) == first, worker.alive)
    """)
    assert said == ["True False", "True", "closed", "True True", "closed"]


@linux
def test_script__gets_its_own_classes_back_also_when_multiprocessing_runs_it_again(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    tail = """
def double(number): return 2 * number
def train(hosted):
    worker = Worker(hosted)
    try:
        worker.call("fail")
    except Custom as error:
        tell("caught", error, worker.call("run", double, 5))
    worker.close()

if __name__ == "__main__":
    import multiprocessing
    train(Hosted)
    child = multiprocessing.get_context("spawn").Process(target=train, args=(Hosted,))
    child.start(); child.join(); sys.exit(child.exitcode)
"""
    script.write_text(SCRIPT + tail)
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, script], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, 2 * "caught mine 10\nclosed\n"), done.stderr
