from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sumo_gymnasium.backends.options import command_line
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.registry import scenario_of

Started = Callable[..., Kernel]


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Started]:
    """A kernel whose SUMO runs and has made some steps; closed after the test."""
    kernels: list[Kernel] = []

    def start(scenario: Any = "intersection-peak", steps: int = 0, **settings: Any) -> Kernel:
        found, config = scenario_of(scenario), SumoConfig.of(settings)
        kernels.append(Kernel(found, config))
        kernels[-1].start(command_line(kernels[-1].scenario, config, str(tmp_path), seed=1))
        for _ in range(steps):
            kernels[-1].step()
        return kernels[-1]

    yield start
    for kernel in kernels:
        kernel.close()
