from typing import Any

import numpy as np
import pytest

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.metrics import METRICS, Metric
from sumo_gymnasium.metrics.neighbours import WithNeighbours
from sumo_gymnasium.metrics.signal import (
    accumulated_waiting_time,
    co2,
    first_wait,
    link_pressure,
    longest_wait,
    pressure,
    queue_length,
    relative_speed,
    time_loss,
    vehicles_passed,
    waiting_time,
)
from sumo_gymnasium.scenarios.net import Link
from sumo_gymnasium.testing.fakes import FakeLane, FakeSignal, fake_kernel
from tests.conftest import Make
from tests.test_cases import LARGE, NO_SIGNAL, RUNS, case_id, controllable, scenario, settings

LANES = {
    "north": FakeLane(waiting=(0.0, 3.0, 12.0), queue=2, mean_speed=4.0, speed=10.0, length=75.0, co2=1.5),
    "east": FakeLane(waiting=(7.0,), queue=1, mean_speed=0.0, speed=20.0, length=15.0, co2=0.5),
    "west": FakeLane(co2=9.0),
    "out": FakeLane(waiting=(0.0, 0.0), queue=0, length=30.0, co2=9.0),
    "tiny": FakeLane(waiting=(0.0,), length=0.1),
}
LINKS = tuple(
    Link(index, origin, target, "", "s", crossing)
    for index, (origin, target, crossing) in enumerate(
        [("north", "out", False), ("north", "tiny", False), ("east", "out", False), ("east", "walk", True)]
    )
)
SIGNAL = FakeSignal(incoming_lanes=("north", "east", "west"), outgoing_lanes=("out", "tiny"), links=LINKS)
KERNEL = fake_kernel(LANES, {"A": SIGNAL})
NOBODY = fake_kernel(LANES, {"A": FakeSignal(incoming_lanes=("west",), outgoing_lanes=("west",))})


def test_queue_length__adds_up_the_incoming_lanes() -> None:
    assert queue_length(KERNEL, "A") == 3
    assert queue_length(NOBODY, "A") == 0


def test_pressure__is_incoming_less_outgoing() -> None:
    assert pressure(KERNEL, "A") == 4 - 3


def test_link_pressure__weighs_each_link_by_how_full_its_lanes_are() -> None:
    north, east, out, tiny = 3 * 7.5 / 75, 1 * 7.5 / 15, 2 * 7.5 / 30, 1.0
    assert link_pressure(KERNEL, "A") == pytest.approx((north - out) + (north - tiny) + (east - out))
    assert link_pressure(NOBODY, "A") == 0.0


def test_accumulated_waiting_time__adds_up_vehicles() -> None:
    assert accumulated_waiting_time(KERNEL, "A") == 22.0
    assert accumulated_waiting_time(NOBODY, "A") == 0.0


def test_waiting_time__adds_up_vehicles() -> None:
    assert waiting_time(KERNEL, "A") == 22.0
    assert waiting_time(NOBODY, "A") == 0.0


def test_first_wait__takes_the_first_vehicle_of_each_lane() -> None:
    assert first_wait(KERNEL, "A") == 12.0 + 7.0
    assert first_wait(NOBODY, "A") == 0.0


def test_longest_wait__is_one_vehicle() -> None:
    assert longest_wait(KERNEL, "A") == 12.0
    assert longest_wait(NOBODY, "A") == 0.0


def test_relative_speed__is_weighted_by_vehicles_and_1_without() -> None:
    assert relative_speed(KERNEL, "A") == pytest.approx((3 * 0.4 + 1 * 0.0) / 4)
    assert relative_speed(NOBODY, "A") == 1.0


def test_co2__adds_up_the_occupied_incoming_lanes() -> None:
    assert co2(KERNEL, "A") == 2.0
    assert co2(NOBODY, "A") == 0.0


def changing(first: FakeLane) -> tuple[Kernel, dict[str, FakeLane]]:
    """A kernel with one incoming lane, and the table in which it can be replaced."""
    lanes = {"in": first}
    return fake_kernel(lanes, {"A": FakeSignal(incoming_lanes=("in",))}), lanes


def test_time_loss__adds_up_what_was_lost_between_readings() -> None:
    kernel, lanes = changing(FakeLane(waiting=(0.0, 0.0), time_losses=(100.0, 30.0)))
    assert time_loss(kernel, "A") == 0.0  # lost elsewhere, before
    lanes["in"] = FakeLane(waiting=(0.0, 0.0, 0.0), time_losses=(104.0, 31.0, 50.0))
    assert time_loss(kernel, "A") == 5.0
    assert time_loss(kernel, "A") == 5.0  # reading changes nothing
    lanes["in"] = FakeLane(waiting=(0.0,), time_losses=(106.0,))  # two have left
    assert time_loss(kernel, "A") == 7.0


def test_vehicles_passed__counts_those_that_are_gone() -> None:
    kernel, lanes = changing(FakeLane(waiting=(0.0, 0.0, 0.0)))
    assert vehicles_passed(kernel, "A") == 0
    lanes["in"] = FakeLane(waiting=(0.0,))
    assert vehicles_passed(kernel, "A") == 2
    assert vehicles_passed(kernel, "A") == 2
    lanes["in"] = FakeLane()
    assert vehicles_passed(kernel, "A") == 3


def everything(kernel: Kernel, signal: str) -> tuple[dict[str, float], dict[str, float]]:
    lanes = kernel.traffic_light.incoming_lanes(signal)
    vehicles = [vehicle for lane in lanes for vehicle in kernel.network.vehicles(lane)]
    waits = [kernel.vehicle.waiting_time(vehicle) for vehicle in vehicles]
    emitted = [kernel._backend.vehicle.getCO2Emission(vehicle) / 1000 for vehicle in vehicles]  # type: ignore[union-attr]
    by_vehicle = {"waiting_time": sum(waits), "longest_wait": max(waits, default=0.0), "co2": sum(emitted)}
    return {name: metric(kernel, signal) for name, metric in METRICS.items()}, by_vehicle


@pytest.mark.parametrize("emissions", [False, True])
@pytest.mark.parametrize("backend", ["libsumo", "traci"])
def test_metrics__of_lanes_add_up_their_vehicles_in_sumo(backend: str, emissions: bool, make: Make) -> None:
    env = make(backend=backend, emissions=emissions)
    env.reset(seed=1)
    seen: list[dict[str, Any]] = []
    for step in range(40):
        env.step(step // 8 % env.action_space.n)
        found, by_vehicle = env.unwrapped.query(everything, env.unwrapped.agent)
        assert {name: found[name] for name in by_vehicle} == pytest.approx(by_vehicle)
        assert found["longest_wait"] <= found["first_wait"] + found["waiting_time"]
        seen.append(found)
    assert max(found["longest_wait"] for found in seen) > 0
    assert max(found["co2"] for found in seen) > 0
    for growing in ("time_loss", "vehicles_passed"):
        values = [found[growing] for found in seen]
        assert values == sorted(values)
        assert values[-1] > 0
    env.close()


@pytest.mark.parametrize("row", [row for row in RUNS if row["id"] not in (NO_SIGNAL, LARGE)], ids=case_id)
def test_metrics__are_finite_in_every_case(row: dict[str, Any], make: Make) -> None:
    metrics = {**METRICS, "around": WithNeighbours("time_loss")}
    env = make(scenario(row), action="program", signal=next(iter(controllable(row))), **settings(row)).unwrapped
    env.reset(seed=1)
    for _ in range(8):
        for found in env.query(measured, metrics):
            assert np.isfinite(list(found.values())).all()
            assert all(value >= 0 for name, value in found.items() if "pressure" not in name), found
        if env.step(0)[3]:
            break
    env.close()


def measured(kernel: Kernel, metrics: dict[str, Metric]) -> list[dict[str, float]]:
    return [{name: metric(kernel, signal) for name, metric in metrics.items()} for signal in kernel.traffic_light.ids]
