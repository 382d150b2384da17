import pickle
from pathlib import Path

import pytest

from sumo_gymnasium.backends.options import command_line
from sumo_gymnasium.errors import NotOnRoad
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.modes import LaneChangeMode, Modes, SpeedMode
from sumo_gymnasium.kernels.vehicle import VehicleKernel
from sumo_gymnasium.metrics.signal import accumulated_waiting_time
from tests.conftest import CASES, Make
from tests.kernels.roads import line, running, steps, vehicle

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


@pytest.mark.parametrize("backend", ["libsumo", "traci"])
def test_events__of_two_that_crash_are_collisions(backend: str, tmp_path: Path) -> None:
    for action in ("warn", "remove", "teleport"):
        with running(tmp_path, line(tmp_path), CRASH, backend=backend, collision_action=action) as kernel:
            read = crashing(kernel)
            assert read.gone == {"a": "collided", "b": "collided"}, action  # with "remove" SUMO says they arrived
            assert set(read.collided) == {"a", "b"}
            assert read.arrived == read.teleported == read.removed == ()


CRASH = vehicle("a", "e0 e1", departSpeed=20, departPos=20) + vehicle("b", "e0 e1", departSpeed=0, departPos=90)


def crashing(kernel: Kernel) -> VehicleKernel:
    """Until two have crashed into each other."""
    read = kernel.vehicle
    read.watching = True
    read.modes({"car": Modes(SpeedMode.AGGRESSIVE, LaneChangeMode.TOLD)})
    read.accelerate("a", 0)
    read.drive("b", 0)
    while not read.gone:
        assert read.ids == ("a", "b")
        kernel.step()
    return read


def test_collided__is_every_step_in_which_they_touch(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), CRASH) as kernel:
        read = crashing(kernel)
        read.drive("a", 0)
        for _ in range(3):
            read.clear_events()
            kernel.step()
            assert set(read.collided) == {"a", "b"}
            assert read.gone == {"a": "collided", "b": "collided"}


def test_kept__vehicle_that_collides_answers_from_that_moment(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), CRASH) as kernel:
        kernel.vehicle.keep(["a"])
        read = crashing(kernel)
        found = read.speed("a"), read.lane_position("a"), read.leader("a")
        assert found[0] == 20
        steps(kernel, 4)
        assert found == (read.speed("a"), read.lane_position("a"), read.leader("a"))
        read.forget(["a"])
        assert read.speed("a") == kernel._backend.vehicle.getSpeed("a")  # type: ignore[union-attr]


def test_events__of_arrivals_between_two_looks_are_kept(tmp_path: Path) -> None:
    three = "".join(vehicle(f"v{number}", "e0", departPos=30 + 30 * number, departSpeed=10) for number in range(3))
    with running(tmp_path, line(tmp_path, (150,)), three) as kernel:
        read = kernel.vehicle
        read.watching = True
        seen = []
        for _ in range(20):
            kernel.step()
            seen += read.arrived
        assert seen == ["v2", "v1", "v0"]
        assert read.gone == dict.fromkeys(seen, "arrived")
        read.clear_events()
        assert read.gone == {}


def test_events__can_be_asked_without_watching(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path, (100,)), vehicle("a", "e0", departSpeed=10)) as kernel:
        assert kernel.vehicle.departed == ("a",)
        arrived = []
        for _ in range(20):
            kernel.step()
            arrived += kernel.vehicle.arrived
        assert arrived == ["a"]
        assert kernel.vehicle.gone == {}


def test_removed__is_who_we_take_off_the_road(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0") + vehicle("b", "e0", departPos=60)) as kernel:
        read = kernel.vehicle
        read.watching = True
        read.keep(["a"])
        kernel.step()
        speed = read.speed("a")
        read.drive("a", 3)
        read.drive("b", 3)
        read.change_lane("b", index=0)
        read.remove("a")
        read.remove("b")
        assert read.ids == ()
        assert read.speed("a") == speed
        with pytest.raises(NotOnRoad):
            read.speed("b")
        kernel.step()
        assert read.removed == ("a", "b")
        assert read.gone == {"a": "removed", "b": "removed"}
        assert read.arrived == ()
        assert read.speed("a") == speed


def test_removed__is_who_sumo_vaporises_far_from_where_it_wants_to_go(tmp_path: Path) -> None:
    additional = tmp_path / "vaporizer.add.xml"
    additional.write_text('<additional><vaporizer id="e1" begin="0" end="900"/></additional>')
    one = vehicle("a", "e0 e1 e2", departPos=100, departSpeed=10)
    with running(tmp_path, line(tmp_path, (300, 300, 300)), one, additional_files=(str(additional),)) as kernel:
        read = kernel.vehicle
        read.watching = True
        read.keep(["a"])
        for _ in range(60):
            kernel.step()
            if read.gone:
                break
        assert read.gone == {"a": "removed"}


def test_teleported__is_who_waited_too_long(tmp_path: Path) -> None:
    both = vehicle("a", "e0 e1", departPos=40) + vehicle("b", "e0 e1", departPos=60)
    with running(tmp_path, line(tmp_path), both, time_to_teleport=5) as kernel:
        read = kernel.vehicle
        read.watching = True
        read.keep(["b"])
        read.modes({"car": Modes(lane_change=LaneChangeMode.TOLD)})
        read.drive("b", 0)
        while not read.gone:
            last = read.lane_position("b"), read.speed("b")
            kernel.step()
        assert read.gone == {"b": "teleported"}
        assert read.teleported == ("b",)
        steps(kernel, 5)
        assert "b" in read.ids  # SUMO has put it back onto the road
        assert (read.lane_position("b"), read.speed("b")) == last


def test_never_inserted__is_who_was_given_up(tmp_path: Path) -> None:
    both = vehicle("a", "e0") + vehicle("b", "e0")
    options = ("--max-depart-delay", "5")
    with running(tmp_path, line(tmp_path), both, sumo_options=options) as kernel:
        kernel.vehicle.watching = True
        kernel.vehicle.drive("a", 0)
        seen = []
        for _ in range(12):
            kernel.step()
            seen += kernel.vehicle.never_inserted
        assert seen == ["b"]
        assert kernel.vehicle.gone == {}  # it was never there


def test_depart_delay__is_how_long_insertion_took(tmp_path: Path) -> None:
    both = vehicle("a", "e0") + vehicle("b", "e0")
    with running(tmp_path, line(tmp_path), both) as kernel:
        while "b" not in kernel.vehicle.ids:
            kernel.step()
        assert kernel.vehicle.depart_delay("a") == 0
        assert kernel.vehicle.depart_delay("b") == kernel.simulation.time - 1 > 0


def test_start__begins_anew(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), CRASH) as kernel:
        read = crashing(kernel)
        read.keep(["a"])
        kernel.close()
        pickle.loads(pickle.dumps(kernel))
        (tmp_path / "again").mkdir()
        kernel.start(command_line(kernel.scenario, kernel.config, str(tmp_path / "again"), 1), 1)
        kernel.step()
        assert not read.watching
        assert read.gone == {}
        kernel.step()
        assert read.realised("b") == pytest.approx(2.6)  # nobody tells it to stand


@pytest.mark.parametrize(("options", "touching"), [((), False), (("--collision.mingap-factor", "0"), True)])
def test_collided__is_said_of_those_within_the_min_gap_too(
    options: tuple[str, ...], touching: bool, tmp_path: Path
) -> None:
    both = vehicle("a", "e0 e1", departPos=60, departSpeed=1) + vehicle("b", "e0 e1", departPos=80)
    with running(tmp_path, line(tmp_path), both, step_length=0.1, decision_interval=1, sumo_options=options) as kernel:
        read = kernel.vehicle
        read.watching = True
        read.modes({"car": Modes(SpeedMode.AGGRESSIVE, LaneChangeMode.TOLD)})
        read.drive("a", 1)
        read.drive("b", 0)
        while not read.gone:
            kernel.step()
        leader = read.leader("a")
        assert leader is not None
        assert leader.gap == pytest.approx(-0.1 if touching else read.min_gap("a") - 0.1, abs=1e-6)
