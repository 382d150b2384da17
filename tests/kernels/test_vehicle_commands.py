"""Commands: how SUMO limits and forgets them, and what becomes of them."""

from pathlib import Path
from typing import Any

import pytest

from sumo_gymnasium.errors import NotOnRoad
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.modes import LaneChangeMode, Modes, SpeedMode
from sumo_gymnasium.kernels.safety import FeasibleAcceleration, within_speed_limit
from tests.kernels.roads import RING, line, ring, running, steps, vehicle

BACKENDS = pytest.mark.parametrize("backend", ["libsumo", "traci"])
FAST = {"departSpeed": 25, "departPos": 20}


@pytest.mark.parametrize(
    ("mode", "acceleration", "deceleration", "speed"),
    [
        (SpeedMode.SAFE, 2.6, -4.5, 30),
        (SpeedMode.NO_COLLISION, 2.6, -4.5, 30),
        (SpeedMode.RIGHT_OF_WAY, 2.6, -20, 30),
        (SpeedMode.NO_RED, 2.6, -20, 30),
        (SpeedMode.SAFE_SPEED, 2.6, -20, 30),
        (SpeedMode.AGGRESSIVE, 20, -20, 45),
        (2, 2.6, -20, 45),
        (32, 20, -20, 45),
    ],
)
def test_speed_mode__limits_what_is_asked_for(
    mode: int, acceleration: float, deceleration: float, speed: float, tmp_path: Path
) -> None:
    both = vehicle("up", "e0 e1", departPos=1000) + vehicle("down", "e0 e1", departPos=400, departSpeed=25)
    with running(tmp_path, line(tmp_path, (2000, 2000)), both, step_length=0.1, decision_interval=1) as kernel:
        read = kernel.vehicle
        read.modes({"car": Modes(speed=mode)})
        read.accelerate("up", 20)
        read.accelerate("down", -20)
        kernel.step()
        assert read.realised("up") == pytest.approx(acceleration, abs=1e-3)
        assert read.realised("down") == pytest.approx(deceleration, abs=1e-3)
        read.drive("up", 45)
        steps(kernel, 200)
        assert read.speed("up") == pytest.approx(speed, abs=0.01)


@BACKENDS
def test_accelerate__holds_in_every_step_until_it_is_released(backend: str, tmp_path: Path) -> None:
    one = vehicle("a", "e0 e1", departSpeed=5)
    with running(
        tmp_path, line(tmp_path), one, step_length=0.5, decision_interval=1, driver='tau="1"', backend=backend
    ) as kernel:
        read = kernel.vehicle
        assert read.requested("a") is read.filtered("a") is read.applied("a") is None
        read.accelerate("a", 0.8)
        assert read.controlled == ("a",)
        for _ in range(8):
            before = read.speed("a")
            assert kernel.step(10) == 1
            assert read.speed("a") - before == pytest.approx(0.4)
            assert read.requested("a") == read.filtered("a") == 0.8
            assert read.applied("a") == pytest.approx(0.8)
            assert read.realised("a") == pytest.approx(0.8)
        read.release("a")
        kernel.step()
        assert read.realised("a") == pytest.approx(2.6)
        assert read.requested("a") is None
        assert read.controlled == ()


def test_accelerate__below_a_standstill_is_applied_up_to_it(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0 e1", departSpeed=2)) as kernel:
        kernel.vehicle.accelerate("a", -3)
        kernel.step()
        read = kernel.vehicle
        assert (read.requested("a"), read.applied("a"), read.realised("a")) == (-3, -2, -2)


def test_accelerate__shows_what_sumo_did_not_do(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0 e1", departSpeed=2)) as kernel:
        kernel.vehicle.accelerate("a", 7)
        kernel.step()
        read = kernel.vehicle
        assert (read.requested("a"), read.applied("a")) == (7, 7)
        assert read.realised("a") == pytest.approx(2.6)


def test_filters__stand_between_requested_and_applied(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0 e1", departSpeed=2)) as kernel:
        read = kernel.vehicle
        read.modes({"a": Modes(speed=SpeedMode.AGGRESSIVE)})
        read.filters("a", (FeasibleAcceleration(1.5, 3), within_speed_limit))
        read.accelerate("a", 7)
        kernel.step()
        assert (read.requested("a"), read.filtered("a")) == (7, 1.5)
        assert read.applied("a") == read.realised("a") == pytest.approx(1.5)
        steps(kernel, 30)
        assert read.speed("a") == pytest.approx(30)


def test_drive__reaches_a_speed_and_holds_it(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0 e1", departSpeed=5)) as kernel:
        kernel.vehicle.drive("a", 12)
        kernel.step()
        assert kernel.vehicle.requested("a") == pytest.approx(7)
        steps(kernel, 9)
        assert kernel.vehicle.speed("a") == 12
        assert kernel.vehicle.requested("a") == 0


@BACKENDS
def test_limit_and_headway__hold_until_released(backend: str, tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0 e1", departSpeed=5), backend=backend) as kernel:
        read, top = kernel.vehicle, kernel.vehicle.max_speed("a")
        read.limit_speed("a", 8)
        read.limit_speed("a", 7)
        assert read.max_speed("a") == 7
        read.set_headway("a", 3)
        steps(kernel, 5)
        assert (read.speed("a"), read.max_speed("a"), read.read("a", "VAR_TAU")) == (7, 7, 3)
        assert read.type("a") == "car"
        read.release("a")
        assert read.max_speed("a") == top
        kernel.step()
        assert (read.max_speed("a"), read.read("a", "VAR_TAU")) == (top, 1)
        assert read.speed("a") > 7


def test_colour__is_set(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0 e1")) as kernel:
        kernel.vehicle.set_colour("a", (10, 20, 30))
        assert kernel.vehicle.read("a", "VAR_COLOR") == (10, 20, 30, 255)
        with pytest.raises(ValueError, match="0 to 255"):
            kernel.vehicle.set_colour("a", (10, 20, 300))


@BACKENDS
def test_set_route__takes_effect_at_once(backend: str, tmp_path: Path) -> None:
    with running(tmp_path, ring(tmp_path), vehicle("a", "bottom right"), backend=backend) as kernel:
        kernel.vehicle.keep(["a"])
        kernel.vehicle.set_route("a", RING.split())
        assert kernel.vehicle.route("a") == tuple(RING.split())
        with pytest.raises(ValueError, match=r"route 'left top' for vehicle 'a', which is on 'bottom'"):
            kernel.vehicle.set_route("a", ("left", "top"))
        with pytest.raises(ValueError, match="nowhere"):
            kernel.vehicle.set_route("a", ("bottom", "nowhere"))
        steps(kernel, 20)
        assert kernel.vehicle.edge("a") in ("top", ":left_0", "left")
        assert kernel.vehicle.route("a") == tuple(RING.split())


@BACKENDS
def test_set_route__keeps_the_edges_behind(backend: str, tmp_path: Path) -> None:
    with running(tmp_path, ring(tmp_path), vehicle("a", "bottom right"), backend=backend) as kernel:
        read = kernel.vehicle
        while read.edge("a") != "right":
            kernel.step()
        x = read.x("a")
        read.set_route("a", ("right", "top", "left", "bottom"))
        found = read.route("a"), read.route_index("a")
        kernel.step()
        assert found == (read.route("a"), read.route_index("a"))
        assert read.x("a") > x


@BACKENDS
def test_change_lane__says_what_became_of_it(backend: str, tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path, lanes=3), vehicle("a", "e0", departSpeed=10), backend=backend) as kernel:
        read = kernel.vehicle
        read.modes({"car": Modes(lane_change=LaneChangeMode.TOLD)})
        steps(kernel, 4)
        assert read.lane_change_outcome("a") == "none"
        assert read.time_since_lane_change("a") == 5
        read.change_lane("a", 1)
        assert read.lane_change_outcome("a") == "refused"
        kernel.step()
        assert (read.lane_change_outcome("a"), read.lane_index("a")) == ("changed", 1)
        assert read.time_since_lane_change("a") == 0
        steps(kernel, 3)
        assert (read.lane_index("a"), read.time_since_lane_change("a")) == (1, 3)
        read.change_lane("a")
        assert read.lane_change_outcome("a") == "none"
        read.change_lane("a", index=0)
        kernel.step()
        assert (read.lane_change_outcome("a"), read.lane_index("a")) == ("changed", 0)


def test_change_lane__in_the_step_in_which_the_edge_ends_is_seen(tmp_path: Path) -> None:
    seen = 0
    for position in range(20, 100, 4):
        one = vehicle("a", "e0 e1", departSpeed=20, departPos=position, departLane=0)
        with running(tmp_path, line(tmp_path, (110, 300), lanes=2), one) as kernel:
            read = kernel.vehicle
            read.modes({"car": Modes(lane_change=LaneChangeMode.TOLD)})
            read.keep(["a"])
            read.change_lane("a", 1)
            kernel.step()
            assert (read.lane_change_outcome("a") == "changed") is (read.lane_index("a") == 1)
            assert (read.time_since_lane_change("a") == 0) is (read.lane_index("a") == 1)
            seen += read.lane("a") == "e1_1"
            steps(kernel, 4)
            assert read.lane_change_outcome("a") == ("changed" if read.lane_index("a") == 1 else "refused")
    assert seen


@pytest.mark.parametrize("wish", [{"direction": -1}, {"index": 3}, {"index": -1}])
def test_change_lane__to_where_there_is_none_is_refused(wish: dict[str, int], tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path, lanes=3), vehicle("a", "e0", departLane=0)) as kernel:
        kernel.vehicle.change_lane("a", **wish)
        steps(kernel, 3)
        assert kernel.vehicle.lane_change_outcome("a") == "refused"
        assert kernel.vehicle.lane_index("a") == 0


@pytest.mark.parametrize(
    ("mode", "outcome"),
    [
        (LaneChangeMode.AGGRESSIVE, "changed"),
        (LaneChangeMode.NO_COLLISION, "refused"),
        (LaneChangeMode.TOLD, "refused"),
        (LaneChangeMode.STRATEGIC, "refused"),
    ],
)
def test_lane_change_mode__decides_about_an_occupied_lane(mode: LaneChangeMode, outcome: str, tmp_path: Path) -> None:
    both = vehicle("a", "e0", departPos=50) + vehicle("b", "e0", departPos=52, departLane=1)
    with running(tmp_path, line(tmp_path, lanes=2), both) as kernel:
        read = kernel.vehicle
        read.modes({"a": Modes(lane_change=mode), "b": Modes(lane_change=LaneChangeMode.TOLD)})
        read.drive("a", 0)
        read.drive("b", 0)
        read.change_lane("a", 1)
        steps(kernel, 3)
        assert read.lane_change_outcome("a") == outcome


def test_modes__hold_at_every_departure_of_an_id(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0") + vehicle("b", "e0", depart=5)) as kernel:
        read, domain = kernel.vehicle, kernel._backend.vehicle  # type: ignore[union-attr]
        read.modes({"a": Modes(1, 512)})
        read.modes({"car": Modes(SpeedMode.NO_RED)})
        steps(kernel, 8)
        assert modes(domain, "a") == (1, 512)
        assert modes(domain, "b") == (9, 1621)
        read.remove("a")
        kernel.step()
        assert read.ids == ("b",)
        domain.add("a", "!b", typeID="car")
        steps(kernel, 3)
        assert modes(domain, "a") == (1, 512)


def modes(domain: Any, vehicle: str) -> tuple[int, int]:
    return domain.getSpeedMode(vehicle), domain.getLaneChangeMode(vehicle)


def test_commands__are_for_vehicles_on_the_road(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0") + vehicle("b", "e0")) as kernel:
        assert kernel.simulation.pending == ("b",)
        for command in commands(kernel, "b"):
            with pytest.raises(NotOnRoad):
                command()


def commands(kernel: Kernel, one: str) -> list[Any]:
    read = kernel.vehicle
    return [
        lambda: read.accelerate(one, 1),
        lambda: read.drive(one, 1),
        lambda: read.limit_speed(one, 1),
        lambda: read.set_headway(one, 1),
        lambda: read.set_colour(one, (1, 1, 1)),
        lambda: read.set_route(one, ("e0",)),
        lambda: read.change_lane(one, 1),
        lambda: read.filters(one, ()),
        lambda: read.release(one),
        lambda: read.remove(one),
    ]


def test_commands__refuse_numbers_that_cannot_be(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path), vehicle("a", "e0")) as kernel:
        read = kernel.vehicle
        with pytest.raises(ValueError, match="acceleration=nan: expected a finite number"):
            read.accelerate("a", float("nan"))
        with pytest.raises(ValueError, match="speed=-1"):
            read.drive("a", -1)
        with pytest.raises(ValueError, match="direction=2"):
            read.change_lane("a", 2)


def test_commands__end_with_the_vehicle(tmp_path: Path) -> None:
    with running(tmp_path, line(tmp_path, (60,)), vehicle("a", "e0", departSpeed=15)) as kernel:
        kernel.vehicle.drive("a", 15)
        kernel.vehicle.limit_speed("a", 20)
        kernel.vehicle.change_lane("a", 1)
        steps(kernel, 8)
        assert kernel.vehicle.ids == ()
        assert kernel.step(10) == 9
