"""See `cluster`."""

from tests.adapters.cluster import no_simulation_left  # noqa: F401 - a fixture
