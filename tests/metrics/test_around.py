from sumo_gymnasium.kernels.neighbours import Neighbour
from sumo_gymnasium.metrics.around import still_there
from sumo_gymnasium.testing.fake_vehicles import FakeVehicle, fake_vehicles


def test_still_there__is_who_can_be_read() -> None:
    kernel = fake_vehicles({"a": FakeVehicle()})
    assert still_there(kernel, Neighbour("a", 3.0)) == Neighbour("a", 3.0)
    assert still_there(kernel, Neighbour("b", 3.0)) is None
    assert still_there(kernel, None) is None
