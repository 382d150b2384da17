import gc
import os
import threading

from sumo_gymnasium.backends.libsumo import claim, libsumo, release
from tests.conftest import CASES

FOLDER = CASES / "05-joined-index-gaps"


def test_claim__is_given_to_one_at_a_time() -> None:
    first, second = object(), object()
    assert claim(first)
    assert claim(first)
    assert not claim(second)
    release(second)
    assert not claim(second)
    release(first)
    assert claim(second)
    release(second)


def test_claim__is_refused_while_anybodys_simulation_runs() -> None:
    libsumo.start(["sumo", "-n", str(FOLDER / "a-joined.net.xml"), "--no-step-log"])
    owner = object()
    assert not claim(owner)
    libsumo.close()
    assert claim(owner)
    release(owner)


def test_claim__of_a_parent_is_not_its_forks() -> None:
    owner = object()
    assert claim(owner)
    child = os.fork()
    if child == 0:
        os._exit(0 if claim(object()) else 1)  # nothing was started yet
    assert os.waitpid(child, 0)[1] == 0
    release(owner)


class Dropped:
    """Releases when the garbage collector finds it, whatever runs then."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        release(self)


def test_release__by_the_garbage_collector_never_waits() -> None:
    def take() -> None:
        for _ in range(2000):
            Dropped()
            if claim(owner := object()):
                release(owner)

    threshold = gc.get_threshold()
    gc.set_threshold(1)
    try:
        threads = [threading.Thread(target=take, daemon=True) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        assert not any(thread.is_alive() for thread in threads)
    finally:
        gc.set_threshold(*threshold)
    owner = object()
    assert claim(owner)
    release(owner)
