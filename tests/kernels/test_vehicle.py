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
