import math
from collections.abc import Callable
from pathlib import Path

import pytest

from sumo_gymnasium.controllers.routers import Loop, RandomTurns
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles
from tests.kernels.roads import ring, running, steps, vehicle

ROADS = {"e": FakeRoad(next=("f", "g")), "f": FakeRoad(), "g": FakeRoad()}


def led(router: Callable[[Kernel], None], **fields: object) -> list[tuple[object, ...]]:
    kernel = fake_vehicles({"a": FakeVehicle(**fields)}, ROADS)  # type: ignore[arg-type]  # its fields
    router(kernel)
    return kernel.vehicle.commands  # type: ignore[attr-defined,no-any-return]


def test_random_turns__takes_any_way_ahead() -> None:
    kernel = fake_vehicles({str(number): FakeVehicle() for number in range(30)}, ROADS)
    RandomTurns()(kernel)
    assert {route for _, _, route in kernel.vehicle.commands} == {("e", "f"), ("e", "g")}  # type: ignore[attr-defined]


def test_random_turns__waits_for_the_last_edge() -> None:
    assert led(RandomTurns(), route=("e", "f")) == []
    assert led(RandomTurns(), route=("e", "f", "e")) == []
    assert len(led(RandomTurns(), route=("f", "e"), route_index=1)) == 1


def test_routers__lead_those_of_a_type() -> None:
    assert led(RandomTurns("agent")) == led(Loop(("e", "f"), "agent")) == []


def test_random_turns__a_dead_end_is_an_end() -> None:
    assert led(RandomTurns(), edge="f", lane="f_0", route=("f",)) == []


def test_loop__goes_once_around() -> None:
    loop = Loop(("d", "e", "f"))
    assert led(loop) == [("set_route", "a", ("e", "f", "d", "e"))]
    assert led(loop, edge="g", route=("g",)) == []


def test_loop__has_each_edge_once() -> None:
    with pytest.raises(ValueError, match="each once"):
        Loop(("e", "f", "e"))


@pytest.mark.parametrize("router", [RandomTurns(), Loop(("bottom", "right", "top", "left"))])
def test_routers__lead_round_the_ring_for_ever(router: Callable[[Kernel], None], tmp_path: Path) -> None:
    net = ring(tmp_path)
    with running(tmp_path, net, vehicle("a", "bottom right top")) as kernel:
        for _ in range(200):
            router(kernel)
            kernel.step()
        assert kernel.vehicle.distance("a") > 5 * 2 * math.pi * 40


def test_routers__without_them_it_arrives(tmp_path: Path) -> None:
    with running(tmp_path, ring(tmp_path), vehicle("a", "bottom right top")) as kernel:
        steps(kernel, 200)
        assert kernel.vehicle.ids == ()
