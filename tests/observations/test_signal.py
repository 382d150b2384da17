import copy
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from sumo_gymnasium.config import SignalTiming
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.observations.combined import Concatenate, Stack
from sumo_gymnasium.observations.detectors import Detectors
from sumo_gymnasium.observations.neighbours import Neighbours
from sumo_gymnasium.observations.signal import OBSERVATIONS, PhaseAndQueues
from sumo_gymnasium.testing.fakes import FakeLane, FakeSignal, fake_kernel
from tests.conftest import CASES, Make
from tests.test_cases import LARGE, NO_SIGNAL, RUNS, case_id, controllable, scenario, settings

LANES = {
    "north": FakeLane(length=75.0, waiting=(0.0, 0.0, 9.0), queue=1, vehicle_length=5.0),
    "short": FakeLane(length=6.0, waiting=(0.0,), queue=1, vehicle_length=16.5),
    "empty": FakeLane(),
}


def observe(green_time: float) -> np.ndarray:
    signal = FakeSignal(phases=("Gr", "rG", "gg"), phase=2, green_time=green_time, incoming_lanes=tuple(LANES))
    kernel = fake_kernel(LANES, {"A": signal}, timing=SignalTiming(min_green=5))
    observation = PhaseAndQueues()
    values = observation(kernel, "A")
    assert observation.space(kernel, "A").contains(values)
    return values


def test_phase_and_queues__on_hand_made_numbers() -> None:
    density, queue = 3 * (5 + 2.5) / 75, 1 * (5 + 2.5) / 75
    expected = [0, 0, 1, 1, density, 1, 0, queue, 1, 0]
    assert observe(green_time=5.0) == pytest.approx(expected)


def test_phase_and_queues__says_when_min_green_is_not_over() -> None:
    assert observe(green_time=4.9)[3] == 0.0


def test_phase_and_queues__is_fresh_each_time() -> None:
    first = observe(5.0)
    first[:] = -1
    assert observe(5.0)[0] == 0.0


ALL = {
    **OBSERVATIONS,
    "composed": Stack(Concatenate(Neighbours("movement_pressure"), Detectors(Neighbours("position_matrix"))), frames=2),
}


@pytest.mark.parametrize("name", ALL)
def test_observations__survive_pickle_and_copy(name: str) -> None:
    observation = ALL[name]
    assert pickle.loads(pickle.dumps(observation)) == observation
    assert copy.deepcopy(observation) == observation


TWIN = CASES / "05-joined-index-gaps"
SCENARIOS: dict[str, Any] = {
    "joined": {"net_file": str(TWIN / "a-joined.net.xml"), "route_files": str(TWIN / "a.rou.xml")},
    "resco-cologne3": "resco-cologne3",
}
CASE_RUNS = [row for row in RUNS if row["id"] not in (NO_SIGNAL, LARGE)]


def test_observations__have_the_documented_sizes(make: Make) -> None:
    env = make(SCENARIOS["joined"])
    kernel = Kernel(env.unwrapped.scenario, env.unwrapped.config)
    signals, signal = kernel.traffic_light, env.unwrapped.agent
    n, m, k = len(signals.phases(signal)), len(signals.incoming_lanes(signal)), len(signals.movements(signal))
    shapes = {name: observation.space(kernel, signal).shape for name, observation in OBSERVATIONS.items()}
    assert shapes == {
        "phase_and_queues": (n + 1 + 2 * m,),
        "phase": (n + 1,),
        "lane_counts": (m,),
        "drq": (5 * m,),
        "drq_norm": (5 * m,),
        "wave": (k,),
        "movement_pressure": (n + 1 + k,),
        "position_matrix": (m, 20),
        "neighbours": (k,),  # nobody is near
        "detectors": (n + 1 + 2 * m,),
        "stacked": (4, n + 1 + 2 * m),
    }


@pytest.mark.parametrize("name", SCENARIOS)
def test_observations__stay_in_their_spaces_and_change(name: str, make: Make) -> None:
    env = make(SCENARIOS[name], action="program", signal=None if name == "joined" else "360082").unwrapped
    readings = list(read(env, steps=100))
    for key, first in readings[0].items():
        assert any(not np.array_equal(first, later[key]) for later in readings), f"{key} is always the same"


@pytest.mark.parametrize("row", CASE_RUNS, ids=case_id)
def test_observations__stay_in_their_spaces_in_every_case(row: dict[str, Any], make: Make) -> None:
    signal = next(iter(controllable(row)))
    env = make(scenario(row), action="program", signal=signal, **settings(row)).unwrapped
    assert sum(1 for _ in read(env, steps=15)) > 3


def read(env: Any, steps: int) -> Iterator[dict[tuple[str, str], np.ndarray]]:
    """All observations of all signals, decision by decision, with random phases; the spaces are those of the files."""
    static = Kernel(env.scenario, env.config)
    spaces_ = {(name, signal): ALL[name].space(static, signal) for name in ALL for signal in static.traffic_light.ids}
    env.reset(seed=1)
    for step in range(steps):
        yield env.query(read_all, spaces_, step)
        if env.step(0)[3]:
            break
    env.close()


def read_all(kernel: Kernel, known: dict[tuple[str, str], spaces.Box], step: int) -> dict[tuple[str, str], np.ndarray]:
    found = {}
    for (name, signal), space in known.items():
        first = ALL[name](kernel, signal)
        found[name, signal] = first.copy()
        assert first.dtype == np.float32 == space.dtype
        assert space.contains(first), f"step {step}: {name} of {signal}: {first} is not in {space}"
        first[...] = np.nan
        assert np.array_equal(ALL[name](kernel, signal), found[name, signal]), f"{name} of {signal} is not fresh"
    request_random_phases(kernel, step)
    return found


def request_random_phases(kernel: Kernel, step: int) -> None:
    random = np.random.default_rng(step)
    for signal in kernel.traffic_light.ids:
        phases = len(kernel.traffic_light.phases(signal))
        if phases:
            kernel.traffic_light.request(signal, int(random.integers(phases)))
