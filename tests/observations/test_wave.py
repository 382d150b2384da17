import numpy as np
import pytest

from sumo_gymnasium.kernels.neighbours import Neighbour
from sumo_gymnasium.observations.wave import WaveAttenuation
from sumo_gymnasium.testing.fake_vehicles import FakeVehicle, fake_vehicles


def test_wave__is_speed_relative_speed_and_spacing() -> None:
    vehicle = FakeVehicle(speed=3.0, leader=Neighbour("b", 22.0))
    values = WaveAttenuation()(fake_vehicles({"a": vehicle, "b": FakeVehicle(speed=6.0, length=5.0)}), "a")
    assert values.tolist() == pytest.approx([0.2, 0.2, 0.1])


def test_wave__alone_it_has_all_the_room() -> None:
    assert WaveAttenuation()(fake_vehicles({"a": FakeVehicle(speed=15.0)}), "a").tolist() == [1, 0, 1]


@pytest.mark.parametrize("gap", [-9.0, 0.0, 999.0])
def test_wave__is_in_its_space(gap: float) -> None:
    kernel = fake_vehicles({"a": FakeVehicle(leader=Neighbour("b", gap)), "b": FakeVehicle(speed=0.0)})
    values = WaveAttenuation()(kernel, "a")
    assert values.dtype == np.float32
    assert WaveAttenuation().space(kernel, "a").contains(values)


def test_wave__does_not_see_a_leader_that_has_gone() -> None:
    kernel = fake_vehicles({"a": FakeVehicle(speed=15.0, leader=Neighbour("gone", 5.0))})
    assert WaveAttenuation()(kernel, "a").tolist() == [1, 0, 1]


def test_wave__needs_scales() -> None:
    with pytest.raises(ValueError, match="speed=0"):
        WaveAttenuation(speed=0)
