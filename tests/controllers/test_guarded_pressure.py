import pytest

from sumo_gymnasium.controllers.guarded_pressure import GuardedMaxPressure
from sumo_gymnasium.controllers.pressure import MaxPressure
from tests.controllers.crossing import Crossing, lane


def test_guard__sends_nobody_into_a_full_lane() -> None:
    crossing = Crossing(north=30, to_south=13, east=1)  # 13 vehicles of 5 m with gaps of 2.5 m leave 2.5 m of 100
    assert MaxPressure()(crossing.kernel, "A") == 0
    assert GuardedMaxPressure()(crossing.kernel, "A") == 1
    crossing.lanes["to_south"] = lane(12)
    assert GuardedMaxPressure()(crossing.kernel, "A") == 0


def test_guard__a_lane_shorter_than_a_vehicle_has_room_while_it_is_empty() -> None:
    crossing = Crossing(north=2, east=1)
    crossing.lanes["to_south"] = lane(length=4.0)
    crossing.signal(phase=1)
    assert GuardedMaxPressure()(crossing.kernel, "A") == 0


def test_guard__those_who_wait_are_served_though_more_are_behind() -> None:
    crossing = Crossing(east=2, to_west=9)
    assert MaxPressure()(crossing.kernel, "A") == 0  # where nobody is
    assert GuardedMaxPressure()(crossing.kernel, "A") == 1


def test_guard__leaves_a_phase_that_moves_nobody() -> None:
    crossing, controller = Crossing(east=1), GuardedMaxPressure(patience=15)
    crossing.lanes["north"] = lane(9, mean_speed=0.0)
    crossing.signal(green_time=14.0)
    assert controller(crossing.kernel, "A") == 0
    crossing.signal(green_time=15.0)
    assert controller(crossing.kernel, "A") == 1


def test_guard__goes_through_all_phases_when_nothing_moves() -> None:
    crossing, controller = Crossing(), GuardedMaxPressure(patience=15)
    for name, count in (("north", 9), ("south", 5), ("east", 7)):
        crossing.lanes[name] = lane(count, mean_speed=0.0)
    crossing.signal(phases=("GrrrG", "rGrrr", "rrGrr"), legal=(True, True, True), green_time=20.0)
    shown = []
    for _ in range(6):
        shown.append(controller(crossing.kernel, "A"))
        crossing.signal(phase=shown[-1])
    assert shown == [2, 1, 0, 2, 1, 0]


def test_guard__makes_way_for_nobody_where_nobody_waits() -> None:
    crossing, controller = Crossing(), GuardedMaxPressure(patience=15)
    crossing.lanes["north"] = lane(9, mean_speed=0.0)
    crossing.lanes["east"] = lane(1, mean_speed=0.0)
    crossing.signal(green_time=15.0)
    assert controller(crossing.kernel, "A") == 1
    crossing.signal(phase=1)
    crossing.lanes["east"] = lane()  # it has gone between two decisions
    assert controller(crossing.kernel, "A") == 0


def test_guard__a_phase_that_moves_again_forgives_the_others() -> None:
    crossing, controller = Crossing(east=1), GuardedMaxPressure(patience=15)
    crossing.lanes["north"] = lane(9, mean_speed=0.0)
    crossing.signal(green_time=15.0)
    assert controller(crossing.kernel, "A") == 1
    crossing.signal(phase=1, green_time=5.0)
    assert controller(crossing.kernel, "A") == 0


@pytest.mark.parametrize("wrong", [{"room": 0}, {"patience": -1}])
def test_guard__refuses_what_cannot_be(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="expected a number above 0"):
        GuardedMaxPressure(**wrong)
