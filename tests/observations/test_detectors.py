from typing import Any

import numpy as np
import pytest

from sumo_gymnasium.observations.combined import Concatenate, Stack
from sumo_gymnasium.observations.detectors import DetectedKernel, Detectors, Fault
from sumo_gymnasium.testing.fakes import FakeLane, FakeSignal, FakeSimulation, fake_kernel
from tests.conftest import Make

LANES = {
    "near": FakeLane(
        length=100.0,
        waiting=(1.0, 2.0, 4.0, 8.0),
        positions=(10.0, 49.0, 50.0, 99.0),
        speeds=(6.0, 7.0, 3.0, 0.0),
        vehicle_length=5.0,
    ),
    "other": FakeLane(length=40.0, waiting=(3.0,), positions=(0.0,), speeds=(5.0,)),
    "empty": FakeLane(),
}
KERNEL = fake_kernel(LANES, {"A": FakeSignal(incoming_lanes=tuple(LANES))})
PERFECT = Fault(range=50.0, noise=0.0, missed=0.0, drop_out=0.0)


def counts(kernel: Any = KERNEL, **fault: float) -> list[float]:
    found: list[float] = Detectors("lane_counts", **fault)(kernel, "A").tolist()  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(("metres", "seen"), [(0.5, [0, 0, 0]), (50, [2, 1, 0]), (51, [3, 1, 0]), (500, [4, 1, 0])])
def test_range__is_counted_from_the_end_of_each_lane(metres: float, seen: list[float]) -> None:
    assert counts(range=metres) == seen


def test_readings__are_made_of_the_vehicles_in_range() -> None:
    network = DetectedKernel(KERNEL, PERFECT).network
    assert network.vehicles("near") == ("near.2", "near.3")
    assert network.vehicle_count("near") == 2
    assert network.queue_length("near") == 1
    assert network.waiting_time("near") == 4 + 8
    assert network.vehicle_length("near") == 5.0
    assert network.mean_speed("near") == 1.5
    assert network.occupancy("near") == 0.1
    assert (network.mean_speed("empty"), network.vehicle_length("empty"), network.queue_length("empty")) == (None, 0, 0)
    assert network.length("near") == 100.0


def test_noise__is_on_speeds_but_what_stands_is_seen_to_stand() -> None:
    kernel = DetectedKernel(KERNEL, PERFECT._replace(noise=0.2, range=500.0))
    kernel.network.vehicles("near")
    measured = [kernel.vehicle.speed(f"near.{number}") for number in range(4)]
    assert measured[3] == 0.0
    assert all(
        0.3 < speed / true < 1.7 and speed != true for speed, true in zip(measured, (6.0, 7.0, 3.0), strict=False)
    )
    assert kernel.network.queue_length("near") == 1


def at_step(step: int) -> Any:
    return fake_kernel(LANES, {"A": FakeSignal(incoming_lanes=tuple(LANES))}, FakeSimulation(step=step))


def test_missed__is_a_chance_for_each_vehicle_and_step() -> None:
    seen = np.array([counts(at_step(step), range=500.0, missed=0.3) for step in range(500)])
    assert seen[:, 0].mean() == pytest.approx(4 * 0.7, rel=0.05)
    assert seen[:, 1].mean() == pytest.approx(0.7, rel=0.1)
    assert set(seen[:, 0]) == {0, 1, 2, 3, 4}
    assert counts(missed=1.0) == [0, 0, 0]


def test_drop_out__is_a_chance_for_each_lane_and_step() -> None:
    seen = np.array([counts(at_step(step), range=500.0, drop_out=0.25) for step in range(500)])
    assert set(seen[:, 0]) == {0, 4}
    assert (seen[:, 0] == 0).mean() == pytest.approx(0.25, abs=0.06)
    assert 0 < ((seen[:, 0] == 0) & (seen[:, 1] == 0)).mean() < 0.15  # each detector for itself


def test_chance__is_the_same_for_all_that_read_a_lane_in_a_step() -> None:
    fault = {"range": 500.0, "noise": 0.5, "missed": 0.5, "drop_out": 0.1}
    for step in range(20):
        kernel = at_step(step)
        twice = Concatenate(Detectors("lane_counts", **fault), Detectors("drq", **fault))(kernel, "A")
        assert twice[0] == twice[3 + 1] + twice[3 + 3]  # vehicles, approaching and halting
        assert counts(kernel, **fault) == counts(kernel, **fault)


def test_memory__is_apart_from_what_is_remembered_without_detectors() -> None:
    stack = Stack("lane_counts", frames=2)
    both = Concatenate(stack, Detectors(stack, range=50.0))
    assert both(at_step(0), "A").tolist() == [4, 1, 0, 4, 1, 0, 2, 1, 0, 2, 1, 0]


@pytest.mark.parametrize(
    "fault",
    [{"range": 0.0}, {"range": np.nan}, {"noise": -0.1}, {"noise": np.inf}, {"missed": 1.1}, {"drop_out": -0.1}],
)
def test_detectors__check_their_numbers(fault: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=rf"^{next(iter(fault))}=.*expected"):
        Detectors("wave", **fault)  # type: ignore[arg-type]


@pytest.mark.parametrize("host", ["inline", "worker"])
def test_detectors__are_seeded(host: str, make: Make) -> None:
    env = make(observation=Detectors("lane_counts", noise=0.1, missed=0.3, drop_out=0.1), host=host)
    episodes = [[env.reset(seed=seed)[0], *(env.step(0)[0] for _ in range(40))] for seed in (1, 1, 2)]
    first, again, other = (np.array(episode).tolist() for episode in episodes)
    assert first == again
    assert first != other
    env.close()


def test_detectors__that_see_everything_change_nothing(make: Make) -> None:
    names = ("phase_and_queues", "drq", "wave", "movement_pressure", "position_matrix")
    env = make(observation=Concatenate(*names, *(Detectors(name, range=1e6) for name in names)))
    env.reset(seed=1)
    for _ in range(40):
        values, *_ = env.step(0)
        plain, detected = np.split(values, 2)
        assert plain == pytest.approx(detected, rel=1e-5)
    assert plain.any()
    env.close()
