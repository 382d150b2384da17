"""Reads of single vehicles: units, both backends, who is not on the road, and those who have gone."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sumo_gymnasium.backends.options import command_line
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.errors import NotOnRoad, NotRunning
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.vehicle import VehicleKernel
from tests.kernels.roads import RING, line, ring, running, steps, vehicle

READS = (
    *("speed", "previous_speed", "acceleration", "speed_without_control", "max_speed", "speed_limit"),
    *("lane", "lane_index", "lane_position", "edge", "route", "route_index", "position", "angle", "distance", "x"),
    *("way_length", "length", "width", "min_gap", "type", "depart_delay", "fuel", "carbon_dioxide", "waiting_time"),
    *("accumulated_waiting_time", "time_loss", "time_since_lane_change", "leader", "follower", "left_leader"),
    *("left_follower", "right_leader", "right_follower", "lane_neighbours", "realised"),
)


def everything(kernel: Kernel) -> dict[str, dict[str, Any]]:
    read = kernel.vehicle
    return {name: {each: getattr(read, name)(each) for each in read.ids} for name in READS}


def traffic(lanes: int = 2) -> str:
    edges = [RING, "right top left bottom", "top left bottom right"]
    return "".join(
        vehicle(f"v{number}", edges[number % 3], departPos=5 + 9 * (number // 3), departLane=number % lanes, depart=0)
        for number in range(12)
    )


def test_reads__are_the_same_in_both_backends(tmp_path: Path) -> None:
    found = []
    for backend in ("libsumo", "traci"):
        with running(tmp_path, ring(tmp_path, lanes=2), traffic(), backend=backend, tracked=("VAR_TAU",)) as kernel:
            seen = []
            for _ in range(30):
                seen.append((everything(kernel), [kernel.vehicle.read(each, "VAR_TAU") for each in kernel.vehicle.ids]))
                kernel.step()
            found.append(seen)
    assert len(found[0][0][0]["speed"]) == 12
    assert found[0] == found[1]


def test_reads__of_a_vehicle_that_has_just_departed_are_there(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0 e1", departSpeed=7)) as kernel:
        read = kernel.vehicle
        assert read.departed == ("a",)
        assert (read.speed("a"), read.previous_speed("a"), read.acceleration("a")) == (7, 7, 0)
        assert (read.lane_position("a"), read.x("a"), read.distance("a")) == (10, 10, 0)


def test_acceleration__is_the_change_of_speed_that_came_about(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0 e1"), step_length=0.5, decision_interval=1) as kernel:
        for _ in range(20):
            before = kernel.vehicle.speed("a")
            kernel.step()
            speed, acceleration = kernel.vehicle.speed("a"), kernel.vehicle.acceleration("a")
            assert acceleration == pytest.approx((speed - before) / 0.5)
            assert kernel.vehicle.previous_speed("a") == pytest.approx(before)


@pytest.mark.parametrize("backend", ["libsumo", "traci"])
def test_read__of_a_vehicle_that_waits_for_insertion_is_an_error(backend: str, tmp_path: Path) -> None:
    blocked = vehicle("a", "e0 e1") + vehicle("b", "e0 e1")
    with running(tmp_path, line(tmp_path), blocked, backend=backend) as kernel:
        assert kernel.simulation.pending == ("b",)  # SUMO reads a speed of -1073741824 m/s
        for name in READS:
            with pytest.raises(NotOnRoad, match="'b' is not on the road at t=1 s"):
                getattr(kernel.vehicle, name)("b")
            with pytest.raises(KeyError):
                getattr(kernel.vehicle, name)("nobody")


def test_read__needs_a_running_simulation(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0")) as kernel:
        pass
    with pytest.raises(NotRunning):
        kernel.vehicle.speed("a")


def test_fuel__is_in_grams_and_burns_to_carbon_dioxide(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path, (2000,)), vehicle("a", "e0", departSpeed=20)) as kernel:
        kernel.vehicle.drive("a", 20)
        steps(kernel, 20)
        per_100_km = kernel.vehicle.fuel("a") / 20 * 1e5 / 740  # g/s over m/s; 740 g a litre
        assert 2 < per_100_km < 20
        assert kernel.vehicle.carbon_dioxide("a") / kernel.vehicle.fuel("a") == pytest.approx(3.15, abs=0.1)


def test_x__grows_by_what_is_driven_through_junctions(tmp_path: Path) -> None:
    lanes = set()
    with running(
        tmp_path, ring(tmp_path), vehicle("a", RING), step_length=0.1, decision_interval=1, driver='maxSpeed="2"'
    ) as kernel:
        length = kernel.vehicle.way_length("a")
        assert length == pytest.approx(sum(lane.length for lane in kernel.network.lanes.values()))
        last, start = kernel.vehicle.distance("a"), kernel.vehicle.x("a")
        driven = start
        for _ in range(1100):
            kernel.step()
            if not kernel.vehicle.ids:
                break
            driven += kernel.vehicle.distance("a") - last
            last = kernel.vehicle.distance("a")
            lanes.add(kernel.vehicle.lane("a"))
            assert kernel.vehicle.x("a") == pytest.approx(driven, abs=1e-6)
    assert any(lane.startswith(":") for lane in lanes)


def test_x__is_counted_from_one_place_for_all_on_a_loop(tmp_path: Path) -> None:
    both = vehicle("a", RING, departPos=20) + vehicle("b", "top left bottom right", departPos=20)
    with running(tmp_path, ring(tmp_path), both) as kernel:
        read = kernel.vehicle
        assert read.x("a") == 20
        assert read.x("b") == pytest.approx(read.way_length("b") / 2 + 20, abs=0.5)
        assert read.way_length("a") == pytest.approx(read.way_length("b"))


def test_x__goes_round_with_routes_that_grow_or_are_renewed(tmp_path: Path) -> None:
    with running(tmp_path, ring(tmp_path), vehicle("a", RING), driver='maxSpeed="10"') as kernel:
        read, laps, last = kernel.vehicle, 0, 0.0
        driven = -read.x("a")
        for _ in range(100):
            edge = read.edge("a")
            if not edge.startswith(":") and edge != read.route("a")[0]:
                around = [*RING.split()] * 2
                read.set_route("a", around[around.index(edge) :][:4])
            laps += read.x("a") < last
            last = read.x("a")
            assert 0 <= last < read.way_length("a")
            assert laps * read.way_length("a") + last == pytest.approx(read.distance("a") - driven, abs=1e-6)
            kernel.step()
    assert laps > 2


def test_x__stays_within_a_lap_under_a_rerouter(tmp_path: Path) -> None:
    path = ring(tmp_path)
    additional = tmp_path / "rerouter.add.xml"
    additional.write_text(
        '<additional><route id="around" edges="bottom right top left bottom"/><rerouter id="r" edges="bottom">'
        '<interval begin="0" end="10000"><routeProbReroute id="around"/></interval></rerouter></additional>'
    )
    once = vehicle("a", "bottom right top left bottom")
    with running(tmp_path, path, once, additional_files=(str(additional),)) as kernel:
        read, laps, last = kernel.vehicle, 0, 0.0
        for _ in range(120):
            assert len(read.route("a")) == 5
            laps += read.x("a") < last
            last = read.x("a")
            assert 10 + read.distance("a") == pytest.approx(laps * read.way_length("a") + last, abs=1e-6)
            kernel.step()
    assert laps > 3


def test_x__is_along_the_network_of_the_episode(tmp_path: Path) -> None:
    (tmp_path / "longer").mkdir()
    longer = ring(tmp_path / "longer", radius=60)
    with running(tmp_path, ring(tmp_path), vehicle("a", RING) + vehicle("b", "left bottom right top")) as kernel:
        before = kernel.vehicle.way_length("a")
        kernel.close()
        (tmp_path / "again").mkdir()
        other = replace(kernel.scenario, net_file=longer)
        kernel.start(command_line(other, kernel.config, str(tmp_path / "again"), 1), 1)
        kernel.step()
        read = kernel.vehicle
        assert read.way_length("a") == pytest.approx(before * 1.5, rel=0.03)
        leader = read.leader("b")
        assert leader is not None
        assert leader.gap == pytest.approx(read.way_length("a") / 4 - 5, rel=0.01)


def test_columns__have_a_row_a_vehicle(tmp_path: Path) -> None:
    with running(tmp_path, ring(tmp_path, lanes=2), traffic()) as kernel:
        read = kernel.vehicle
        columns = read.columns()
        assert columns["position"].shape == (12, 2)
        assert columns["speed"].tolist() == [read.speed(each) for each in columns["ids"]]
        assert set(read.columns("x", "edge")) == {"ids", "x", "edge"}
    with running(tmp_path, ring(tmp_path), "") as kernel:
        empty = kernel.vehicle.columns("position", "lane", "speed")
        assert empty["position"].shape == (0, 2)
        assert np.issubdtype(empty["lane"].dtype, np.str_)


def test_tracked__names_a_variable_that_there_is() -> None:
    with pytest.raises(ValueError, match="did you mean 'VAR_TAU'"):
        VehicleKernel(None, ("VAR_TAUU",))  # type: ignore[arg-type]  # not looked at
    with pytest.raises(TypeError, match="expected a sequence"):
        SumoConfig(tracked="VAR_TAU")  # type: ignore[arg-type]
    assert SumoConfig(tracked=["VAR_TAU"]).tracked == ("VAR_TAU",)  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", ["libsumo", "traci"])
def test_kept__vehicle_that_arrives_answers_from_its_last_state(backend: str, tmp_path: Path) -> None:
    two = vehicle("a", "e0", departSpeed=20, departPos=100) + vehicle("b", "e0", departSpeed=20, departPos=60)
    with running(tmp_path, line(tmp_path, (200,)), two, backend=backend, tracked=("VAR_COLOR",)) as kernel:
        read = kernel.vehicle
        read.watching = True
        read.keep(["a"])
        last = {}
        while "a" in read.ids:
            last = {name: getattr(read, name)("a") for name in READS} | {"": read.read("a", "VAR_COLOR")}
            kernel.step()
        assert read.gone == {"a": "arrived"}
        assert {name: getattr(read, name)("a") for name in READS} | {"": read.read("a", "VAR_COLOR")} == last
        steps(kernel, 5)
        assert read.speed("a") == last["speed"] > 0
        assert last["follower"].id == "b"
        read.forget(["a"])
        with pytest.raises(NotOnRoad):
            read.speed("a")


def test_kept__vehicle_that_has_gone_has_neighbours_that_can_be_read(tmp_path: Path) -> None:
    three = "".join(vehicle(f"v{number}", "e0", departSpeed=20, departPos=50 + 40 * number) for number in range(3))
    with running(tmp_path, line(tmp_path, (200,)), three) as kernel:
        read = kernel.vehicle
        read.keep(["v1"])
        last = {}
        while "v1" in read.ids:
            leader, follower = read.leader("v1"), read.follower("v1")
            for other in (leader, follower):
                if other is not None:
                    last[other.id] = read.speed(other.id), read.lane_position(other.id)
            kernel.step()
        steps(kernel, 20)
        assert read.ids == ()
        follower = read.follower("v1")
        assert follower is not None
        assert (read.speed(follower.id), read.lane_position(follower.id)) == last["v0"]
        read.forget(["v1"])
        with pytest.raises(NotOnRoad):
            read.speed("v0")


def test_kept__vehicles_on_the_road_read_as_all_others(tmp_path: Path) -> None:
    found = []
    for kept in (False, True):
        with running(tmp_path, ring(tmp_path, lanes=2), traffic()) as kernel:
            seen = []
            for _ in range(20):
                seen.append(everything(kernel))
                if kept:
                    kernel.vehicle.keep(kernel.vehicle.ids)
                kernel.step()
            found.append(seen)
    assert found[0] == found[1]


def test_kept__vehicle_answers_also_what_was_never_asked_before(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path, (60,)), vehicle("a", "e0", departSpeed=20)) as kernel:
        kernel.vehicle.keep(["a"])
        steps(kernel, 5)
        assert kernel.vehicle.ids == ()
        found = {name: getattr(kernel.vehicle, name)("a") for name in READS}
        assert found["leader"] is found["follower"] is None
        assert found["distance"] > 20


def test_keep__is_for_vehicles_on_the_road(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0")) as kernel, pytest.raises(NotOnRoad):
        kernel.vehicle.keep(["nobody"])


def test_read__is_from_sumo_once_a_step(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0 e1")) as kernel:
        asked: list[str] = []
        domain: Any = kernel._backend.vehicle  # type: ignore[union-attr]
        theirs: Callable[[str], float] = domain.getSpeed
        domain.getSpeed = lambda each: asked.append(each) or theirs(each)  # type: ignore[func-returns-value]
        for _ in range(3):
            kernel.step()
            for _ in range(4):
                kernel.vehicle.speed("a")
        assert asked == ["a"] * 3


def test_signals__alone_may_make_several_steps_in_one_go(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0 e1")) as kernel:
        kernel.vehicle.speed("a")
        assert kernel.step(10) == 9
        kernel.vehicle.watching = True
        assert kernel.step(10) == 1
