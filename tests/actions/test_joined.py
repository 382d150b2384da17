from typing import Any, cast

import numpy as np
import pytest
from gymnasium import spaces

from sumo_gymnasium.actions.joined import Flat, Joined
from sumo_gymnasium.actions.lane_change import LaneChange
from sumo_gymnasium.actions.motion import Acceleration, TargetSpeed
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles

PARTS: dict[str, Any] = {"acceleration": Acceleration(-2, 3), "lane": LaneChange()}


def kernel_of() -> Any:
    return cast(Any, fake_vehicles({"a": FakeVehicle()}, {"e": FakeRoad(lanes=2)}))


def test_joined__is_a_dict_of_all() -> None:
    kernel = kernel_of()
    space = Joined(PARTS).space(kernel, "a")
    assert list(space) == ["acceleration", "lane"]
    action = {"acceleration": np.array([1.0], np.float32), "lane": np.int64(2)}
    assert space.contains(action)
    Joined(PARTS).apply(kernel, "a", action)
    assert kernel.vehicle.commands == [("accelerate", "a", 1.0), ("change_lane", "a", 1)]


def test_flat__is_a_box_with_the_bounds_of_all() -> None:
    space = Flat(PARTS).space(kernel_of(), "a")
    assert space.low.tolist() == [-2.0, -1.0]
    assert space.high.tolist() == [3.0, 1.0]
    assert space.dtype == np.float32


@pytest.mark.parametrize(
    ("number", "direction"), [(-1.0, -1), (-0.4, -1), (-0.3, 0), (0.0, 0), (0.3, 0), (0.4, 1), (1.0, 1), (9.0, 1)]
)
def test_flat__cuts_a_number_into_equal_parts(number: float, direction: int) -> None:
    kernel = kernel_of()
    Flat(PARTS).apply(kernel, "a", np.array([0.5, number], np.float32))
    assert kernel.vehicle.commands == [("accelerate", "a", 0.5), ("change_lane", "a", direction)]


@pytest.mark.parametrize("kind", [Joined, Flat])
def test_joined__tells_what_all_tell_but_no_mask(kind: type[Joined | Flat]) -> None:
    assert kind(PARTS).info(kernel_of(), "a").keys() == {"requested", "applied", "realised", "lane_change"}


def test_flat__refuses_other_spaces() -> None:
    class Odd(LaneChange):
        def space(self, kernel: Any, vehicle: str) -> spaces.Space[Any]:
            return spaces.MultiBinary(2)

    with pytest.raises(ValueError, match="expects a Box or a Discrete"):
        Flat({"odd": Odd()}).space(kernel_of(), "a")


@pytest.mark.parametrize("kind", [Joined, Flat])
def test_joined__needs_parts(kind: type[Joined | Flat]) -> None:
    with pytest.raises(ValueError, match="at least one action"):
        kind({})


def test_flat__may_hold_boxes_only() -> None:
    kernel = kernel_of()
    both = Flat({"speed": TargetSpeed(0, 9), "acceleration": Acceleration()})
    both.apply(kernel, "a", np.array([4.0, 1.0], np.float32))
    assert kernel.vehicle.commands == [("drive", "a", 4.0), ("accelerate", "a", 1.0)]
