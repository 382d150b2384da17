"""Episodes of scenarios for vehicles, run without agents: what their tests look at."""

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np

from sumo_gymnasium.backends.options import STATISTICS, command_line
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.scenarios.scenario import Scenario

NOTHING: Mapping[str, Any] = {}


class Driven(NamedTuple):
    """What happened in an episode; `speed` is the mean over vehicles and time, m/s."""

    inserted: int
    arrived: int
    waiting: int
    collisions: int
    speed: float


def drive(
    given: Any,
    seconds: float = 60.0,
    each: Callable[[Kernel], object] = lambda kernel: None,
    *,
    seed: int = 1,
    options: Mapping[str, Any] = NOTHING,
    **settings: Any,
) -> Driven:
    """Run what `given` stands for; `each` is called after every step."""
    scenario, config = scenario_of(given, end=seconds), SumoConfig(**settings)
    with TemporaryDirectory() as folder:
        episode = scenario.episode(np.random.default_rng(seed), folder, options)
        kernel = Kernel(episode, config)
        kernel.start(command_line(kernel.scenario, config, folder, seed))
        try:
            speeds = []
            for _ in range(round(seconds / kernel.scenario.step_length)):
                kernel.step()
                each(kernel)
                speeds += [kernel.vehicle.speed(vehicle) for vehicle in kernel.vehicle.ids]
        finally:
            kernel.close()
        return _driven(Path(folder) / STATISTICS, float(np.mean(speeds)))


def written(given: Any, folder: Path, seed: int = 1, options: Mapping[str, Any] = NOTHING) -> tuple[Scenario, str]:
    """The episode of `given`, and the text of its vehicles."""
    folder.mkdir(parents=True, exist_ok=True)
    episode = scenario_of(given).episode(np.random.default_rng(seed), str(folder), options)
    return episode, Path(episode.route_files[-1]).read_text("utf-8")


def types_in(text: str) -> list[str]:
    """Of the vehicles, in the order in which they stand in the file."""
    vehicles = ElementTree.fromstring(text).iterfind("vehicle")
    return [vehicle.get("type", "") for vehicle in vehicles]


def _driven(statistics: Path, speed: float) -> Driven:
    root = ElementTree.parse(statistics).getroot()
    vehicles, safety = root.find("vehicles"), root.find("safety")
    assert vehicles is not None
    assert safety is not None
    inserted, running, waiting = (int(vehicles.get(name, "")) for name in ("inserted", "running", "waiting"))
    return Driven(inserted, inserted - running, waiting, int(safety.get("collisions", "")), speed)
