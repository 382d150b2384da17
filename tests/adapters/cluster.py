"""One Ray for all tests of a session, and no simulation left behind for the tests that come after them."""

import gc
import os
from collections.abc import Iterator
from typing import Any

import pytest

from sumo_gymnasium.backends import libsumo


@pytest.fixture(scope="session", name="cluster")
def one_ray() -> Iterator[None]:
    """A small Ray in this machine, started by whichever file of tests asks first."""
    ray = pytest.importorskip("ray")
    starts = not ray.is_initialized()
    if starts:
        ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    if starts:
        ray.shutdown()


@pytest.fixture(autouse=True)
def no_simulation_left() -> Iterator[None]:
    """RLlib does not close the envs of its local runner."""
    yield
    gc.collect()
    loop: Any = libsumo._owners.get(os.getpid())
    if loop is not None:
        loop.close()
        libsumo.release(loop)
