from sumo_gymnasium.kernels.signal_files import Movement
from sumo_gymnasium.observations.movements import MovementPressure, Wave
from sumo_gymnasium.scenarios.net import Link
from sumo_gymnasium.testing.fakes import FakeLane, FakeSignal, fake_kernel

LANES = {
    "north_0": FakeLane(waiting=(0.0,) * 3, queue=2),
    "north_1": FakeLane(waiting=(0.0,) * 5, queue=4),
    "out_0": FakeLane(waiting=(0.0,) * 2, queue=1),
    "out_1": FakeLane(waiting=(0.0,) * 7, queue=6),
}


def movement(target: str, *lanes: tuple[str, str]) -> Movement:
    links = tuple(Link(index, origin, to, "", "s", False) for index, (origin, to) in enumerate(lanes))
    return Movement("north", target, links)


# straight on from both lanes, of which the left one also turns into both lanes of another edge
STRAIGHT = movement("south", ("north_0", "empty"), ("north_1", "empty"))
LEFT = movement("east", ("north_1", "out_0"), ("north_1", "out_1"))
SIGNAL = FakeSignal(
    incoming_lanes=("north_0", "north_1"), outgoing_lanes=("empty", "out_0", "out_1"), movements=(STRAIGHT, LEFT)
)
KERNEL = fake_kernel({**LANES, "empty": FakeLane()}, {"A": SIGNAL})


def test_wave__counts_each_lane_of_a_movement_once() -> None:
    values = Wave()(KERNEL, "A")
    assert values.tolist() == [3 + 5, 5]
    assert Wave().space(KERNEL, "A").contains(values)


def test_movement_pressure__is_the_queue_before_less_the_queue_behind() -> None:
    values = MovementPressure()(KERNEL, "A")
    assert values.tolist() == [2 + 4, 4 - (1 + 6)]
    assert MovementPressure().space(KERNEL, "A").contains(values)
