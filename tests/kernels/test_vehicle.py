import pytest

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.metrics.signal import accumulated_waiting_time
from tests.conftest import CASES, Make

TWIN = CASES / "05-joined-index-gaps"


def test_waiting_time_on_edge__leaves_out_what_was_waited_before(make: Make) -> None:
    files = {"net_file": str(TWIN / "a-joined.net.xml"), "route_files": str(TWIN / "a.rou.xml")}
    env = make(files, action="program", end=400)
    env.reset(seed=1)
    smaller = 0
    for _ in range(79):
        env.step(0)
        ours, total = env.unwrapped.query(both)
        assert 0 <= ours <= total
        smaller += ours < total
    assert smaller > 10  # vehicles that wait at the second junction have waited at the first


def both(kernel: Kernel) -> tuple[float, float]:
    lanes = kernel.traffic_light.incoming_lanes("twin")
    vehicles = [vehicle for lane in lanes for vehicle in kernel.network.vehicles(lane)]
    return accumulated_waiting_time(kernel, "twin"), sum(map(kernel.vehicle.accumulated_waiting_time, vehicles))


def test_lane_position__is_counted_from_the_beginning_in_driving_order(make: Make) -> None:
    env = make()
    env.reset(seed=1)
    for _ in range(30):
        env.step(0)
        for length, positions in env.unwrapped.query(where, env.unwrapped.agent):
            assert positions == sorted(positions)
            assert all(0 <= position <= length for position in positions)
    assert any(len(positions) > 3 for _, positions in env.unwrapped.query(where, env.unwrapped.agent))


def where(kernel: Kernel, signal: str) -> list[tuple[float, list[float]]]:
    network, position = kernel.network, kernel.vehicle.lane_position
    lanes = kernel.traffic_light.incoming_lanes(signal)
    return [(network.length(lane), [position(vehicle) for vehicle in network.vehicles(lane)]) for lane in lanes]


def test_time_loss__grows_by_what_a_vehicle_does_not_drive(make: Make) -> None:
    env = make(decision_interval=1, min_green=1)
    env.reset(seed=1)
    for _ in range(100):
        env.step(0)
    before = env.unwrapped.query(losses)
    env.step(0)
    grown = {
        name: (loss - before[name][0], speed)
        for name, (loss, speed) in env.unwrapped.query(losses).items()
        if name in before
    }
    assert all(-1e-6 <= lost <= 1 + 1e-6 for lost, _ in grown.values())
    standing = [lost for lost, speed in grown.values() if speed == 0]
    assert standing == pytest.approx([1.0] * len(standing))
    assert len(standing) > 3


def losses(kernel: Kernel) -> dict[str, tuple[float, float]]:
    read = kernel.vehicle
    return {vehicle: (read.time_loss(vehicle), read.speed(vehicle)) for vehicle in read.ids}
