import copy
import pickle

import pytest

from sumo_gymnasium.actions.vehicle import VEHICLE_ACTIONS, SumoDriver
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles


@pytest.mark.parametrize("name", VEHICLE_ACTIONS)
def test_actions__apply_what_their_space_holds(name: str) -> None:
    action = VEHICLE_ACTIONS[name]
    kernel = fake_vehicles({"a": FakeVehicle()}, {"e": FakeRoad(lanes=2)})
    space = action.space(kernel, "a")
    space.seed(1)
    for _ in range(5):
        action.apply(kernel, "a", space.sample())
    assert kernel.vehicle.commands  # type: ignore[attr-defined]
    assert isinstance(action.info(kernel, "a"), dict)


@pytest.mark.parametrize("name", VEHICLE_ACTIONS)
def test_actions__survive_pickle_and_copy(name: str) -> None:
    action = VEHICLE_ACTIONS[name]
    assert pickle.loads(pickle.dumps(action)) == copy.deepcopy(action) == action


def test_sumo_driver__takes_commands_back() -> None:
    kernel = fake_vehicles({"a": FakeVehicle()})
    SumoDriver().apply(kernel, "a", 0)
    assert kernel.vehicle.commands == [("release", "a")]  # type: ignore[attr-defined]
