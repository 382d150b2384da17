import copy
import pickle

import numpy as np
import pytest

from sumo_gymnasium.observations import OBSERVATIONS, VEHICLE_OBSERVATIONS
from sumo_gymnasium.observations.combined import Concatenate
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles


def test_names__are_no_signal_observations() -> None:
    assert not set(OBSERVATIONS) & set(VEHICLE_OBSERVATIONS)


@pytest.mark.parametrize("name", VEHICLE_OBSERVATIONS)
def test_observations__are_fresh_and_in_their_space(name: str) -> None:
    observation = VEHICLE_OBSERVATIONS[name]
    kernel = fake_vehicles({"a": FakeVehicle(), "b": FakeVehicle(x=50.0)}, {"e": FakeRoad(lanes=2)})
    values = observation(kernel, "a")
    assert values.dtype == np.float32
    assert observation.space(kernel, "a").contains(values)
    values[:] = 99.0
    assert observation.space(kernel, "a").contains(observation(kernel, "a"))
    assert (observation(kernel, "a") != 99.0).all()


@pytest.mark.parametrize("name", VEHICLE_OBSERVATIONS)
def test_observations__survive_pickle_and_copy(name: str) -> None:
    observation = VEHICLE_OBSERVATIONS[name]
    assert pickle.loads(pickle.dumps(observation)) == copy.deepcopy(observation) == observation


def test_observations__can_be_put_together_by_name() -> None:
    kernel = fake_vehicles({"a": FakeVehicle()})
    assert Concatenate("own", "next_signal")(kernel, "a").shape == (12,)
