import numpy as np
import pytest

from sumo_gymnasium.controllers.background import Background
from sumo_gymnasium.controllers.follower_stopper import FollowerStopper
from sumo_gymnasium.controllers.idm import Idm
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.modes import Modes, SpeedMode
from sumo_gymnasium.testing.fake_vehicles import FakeVehicle, fake_vehicles
from tests.scenarios.driving import drive


def test_background__drives_the_vehicles_of_a_type() -> None:
    kernel = fake_vehicles({"a": FakeVehicle(type="human", speed=3.0), "b": FakeVehicle(type="agent")})
    Background("idm", "human")(kernel)
    acceleration = Idm()(kernel, "a")
    assert kernel.vehicle.commands == [("accelerate", "a", acceleration)]  # type: ignore[attr-defined]


def test_background__drives_all_where_no_type_is_named() -> None:
    kernel = fake_vehicles({"a": FakeVehicle(), "b": FakeVehicle(type="agent")})
    Background("constant_speed")(kernel)
    assert kernel.vehicle.commands == [("drive", "a", 10.0), ("drive", "b", 10.0)]  # type: ignore[attr-defined]


def test_background__needs_a_controller_that_says_what_it_chooses() -> None:
    with pytest.raises(ValueError, match="no controller 'imd'; did you mean 'idm'"):
        Background("imd")
    with pytest.raises(ValueError, match="has no attribute 'action'"):
        Background(lambda kernel, vehicle: 0.0)


class Humans:
    """A hook that lets vehicles do just what a background says, and notes the speeds of all, step by step."""

    def __init__(self, background: Background) -> None:
        self.background = background
        self.speeds: list[list[float]] = []

    def __call__(self, kernel: Kernel) -> None:
        if not self.speeds:
            kernel.vehicle.modes(dict.fromkeys(("human", "agent"), Modes(SpeedMode.AGGRESSIVE)))
        self.background(kernel)
        self.speeds.append([kernel.vehicle.speed(vehicle) for vehicle in kernel.vehicle.ids])


@pytest.mark.parametrize(("length", "speed"), [(230.0, 3.4541), (260.0, 4.8159)])
def test_background__idm_reaches_its_equilibrium_on_the_ring(length: float, speed: float) -> None:  # figure 1
    humans = Humans(Background("idm"))
    drive({"name": "ring", "length": length}, 90.0, humans)
    last = np.array(humans.speeds[-100:])
    assert last.shape == (100, 22)
    assert last.mean() == pytest.approx(speed, rel=0.01)
    assert np.ptp(last) < 0.1


@pytest.mark.slow
def test_background__noisy_idm_makes_stop_and_go_waves() -> None:  # figure 2
    humans = Humans(Background("idm_noisy"))
    drive({"name": "ring"}, 600.0, humans)
    last = np.array(humans.speeds[-1500:])  # by then the wave is full grown, whatever the seed
    assert last.min() == 0.0
    assert last.mean() == pytest.approx(2.41, rel=0.01)
    assert last.std() == pytest.approx(2.9, rel=0.03)


@pytest.mark.slow
def test_background__a_follower_stopper_dissolves_a_wave_that_begins() -> (
    None
):  # figure 3, before the wave is full grown
    humans, tamer = Humans(Background("idm_noisy")), FollowerStopper(desired_speed=3.4)

    def hook(kernel: Kernel) -> None:
        humans(kernel)
        if kernel.simulation.time >= 150.0:
            first = min(kernel.vehicle.ids)
            kernel.vehicle.drive(first, tamer(kernel, first))

    drive({"name": "ring"}, 450.0, hook)
    last = np.array(humans.speeds[-1000:])
    assert last.mean() == pytest.approx(3.4, rel=0.01)
    assert last.std() < 0.07
    assert last.min() > 3.2
