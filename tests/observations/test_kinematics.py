from typing import Any, cast

import numpy as np
import pytest

from sumo_gymnasium.observations.kinematics import GlobalState, Kinematics
from sumo_gymnasium.testing.fake_vehicles import FakeVehicle, fake_vehicles

EAST, NORTH, SOUTH = 90.0, 0.0, 180.0
KERNEL = fake_vehicles(
    {
        "z": FakeVehicle(speed=10.0, position=(100.0, 50.0), angle=EAST),
        "near": FakeVehicle(speed=5.0, position=(100.0, 60.0), angle=NORTH),
        "next": FakeVehicle(speed=20.0, position=(80.0, 50.0), angle=SOUTH),
        "far": FakeVehicle(position=(301.0, 50.0)),
    }
)


def about(rows: list[list[float]]) -> Any:
    return pytest.approx([number for row in rows for number in row], abs=1e-6)


def test_kinematics__are_relative_to_the_own_vehicle() -> None:
    values = Kinematics(rows=4, range=200, speed=10)(KERNEL, "z")
    assert values.ravel().tolist() == about(
        [
            [1, 0.5, 0.25, 1, 0, 1, 0],
            [1, 0, 0.05, -1, 0.5, 0, 1],
            [1, -0.1, 0, -1, -2, 0, -1],
            [0] * 7,
        ]
    )


def test_kinematics__can_have_the_network_s_origin() -> None:
    values = Kinematics(rows=3, origin="network", range=200, speed=10)(KERNEL, "z")
    assert values[1].tolist() == about([[1, 0.5, 0.3, 0, 0.5, 0, 1]])


def test_kinematics__shows_the_nearest() -> None:
    values = Kinematics(rows=2, range=200, speed=10)(KERNEL, "z")
    assert values[1].tolist() == about([[1, 0, 0.05, -1, 0.5, 0, 1]])


def test_kinematics__knows_two_origins() -> None:
    with pytest.raises(ValueError, match="no origin 'vehicles'; did you mean 'vehicle'"):
        Kinematics(origin=cast(Any, "vehicles"))


def test_global_state__is_the_same_for_all() -> None:
    state = GlobalState(rows=6, range=100, speed=10)
    values = state(KERNEL, "z")
    assert values.tolist() == state(KERNEL, "near").tolist()
    assert values[:, 0].tolist() == [1, 1, 1, 1, 0, 0]
    assert values[:4, 1].tolist() == pytest.approx([3.01, 1.0, 0.8, 1.0])  # far, near, next, z


@pytest.mark.parametrize("observation", [Kinematics(), Kinematics(rows=1), GlobalState(), GlobalState(rows=1)])
def test_kinematics__are_in_their_space(observation: Kinematics | GlobalState) -> None:
    values = observation(KERNEL, "z")
    assert values.dtype == np.float32
    assert observation.space(KERNEL, "z").contains(values)


@pytest.mark.parametrize("kind", [Kinematics, GlobalState])
def test_kinematics__need_rows(kind: Any) -> None:
    with pytest.raises(ValueError, match="rows=0: expected a whole number"):
        kind(rows=0)
