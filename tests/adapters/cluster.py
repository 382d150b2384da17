"""One Ray for all tests of a session."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def cluster() -> Iterator[None]:
    """A small Ray in this machine, started by whichever file of tests asks first."""
    ray = pytest.importorskip("ray")
    starts = not ray.is_initialized()
    if starts:
        ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    if starts:
        ray.shutdown()
