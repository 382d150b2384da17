import copy
import pickle

import pytest

from sumo_gymnasium.actions.vehicle import VEHICLE_ACTIONS
from sumo_gymnasium.controllers import action_of
from sumo_gymnasium.controllers.vehicles import VEHICLE_CONTROLLERS
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles


@pytest.mark.parametrize("name", VEHICLE_CONTROLLERS)
def test_controllers__do_what_their_action_takes(name: str) -> None:
    controller = VEHICLE_CONTROLLERS[name]
    kernel = fake_vehicles({"a": FakeVehicle()}, {"e": FakeRoad(lanes=2)})
    wanted = action_of(controller)
    assert isinstance(wanted, str)
    VEHICLE_ACTIONS[wanted].apply(kernel, "a", controller(kernel, "a"))
    assert len(kernel.vehicle.commands) == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", VEHICLE_CONTROLLERS)
def test_controllers__survive_pickle_and_copy(name: str) -> None:
    controller = VEHICLE_CONTROLLERS[name]
    assert pickle.loads(pickle.dumps(controller)) == copy.deepcopy(controller) == controller
