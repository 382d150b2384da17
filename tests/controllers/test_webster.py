import pytest

from sumo_gymnasium.controllers.webster import Webster, _served
from sumo_gymnasium.scenarios.net import Link
from tests.controllers.crossing import LINKS, Crossing, lane


def test_webster__begins_with_equal_greens() -> None:
    crossing, controller = Crossing(), Webster(first_green=15)
    for shown, phase in ((10.0, 0), (13.0, 1)):
        crossing.signal(green_time=shown)
        assert controller(crossing.kernel, "A") == phase
    assert crossing.kernel.memory(controller, "A")["greens"] == (15, 15)


def test_webster__plans_by_the_flows_of_the_interval() -> None:
    # in 90 s 12 vehicles come from the north and 8 from the east: y = 12/40 and 8/40, with 1600 veh/h · 90 s = 40 veh
    # lost 2 · 5 s: C = (15 + 5) / (1 − 0.5) = 40, effective green 30 = 18 + 12; shown: 18 + 5 − 3 and 12 + 5 − 3
    crossing, controller = Crossing(north=4, east=3), Webster(interval=90, lost_time=5)
    controller(crossing.kernel, "A")
    crossing.lanes.update(north=lane(12), east=lane(8), south=lane(5))
    crossing.time(45)
    controller(crossing.kernel, "A")
    crossing.lanes.update(north=lane(), east=lane())  # who was seen counts
    crossing.time(90)
    controller(crossing.kernel, "A")
    assert crossing.kernel.memory(controller, "A")["greens"] == (20, 14)


def test_webster__counts_nobody_twice() -> None:
    crossing, controller = Crossing(north=20), Webster(interval=90, lost_time=5)
    greens = []
    for second in (0, 90, 180):
        crossing.time(second)
        controller(crossing.kernel, "A")
        greens.append(crossing.kernel.memory(controller, "A")["greens"])
    assert greens[1][0] > greens[1][1]
    assert greens[2][0] == greens[2][1]  # the same 20 still stand there


def test_webster__oversaturation_ends_at_the_longest_cycle() -> None:
    crossing, controller = Crossing(north=90, east=90), Webster(interval=90, max_cycle=100)
    for second in (0, 90):
        crossing.time(second)
        controller(crossing.kernel, "A")
    greens = crossing.kernel.memory(controller, "A")["greens"]
    assert sum(greens) + 2 * 3 == pytest.approx(100, abs=1)


def test_served__a_lane_belongs_to_the_phase_that_gives_it_priority() -> None:
    assert _served(("GGgr", "rrGr", "rrrG"), [2]) == [0, 1, 0]
    assert _served(("GGgr", "rrGr", "rrrG"), [0, 1]) == [1, 0, 0]


def test_served__by_several_phases_is_shared_and_by_none_is_not() -> None:
    assert _served(("GG", "Gr"), [0]) == [0.5, 0.5]
    assert _served(("rr", "sr"), [0]) == [0, 0]


def test_webster__a_lane_with_two_links_counts_once() -> None:
    crossing, controller = Crossing(north=12, east=8), Webster(interval=90, lost_time=5)
    crossing.signal(links=(LINKS[0], Link(1, "north", "to_east", "", "l", False), *LINKS[2:]))
    for second in (0, 90):
        crossing.time(second)
        controller(crossing.kernel, "A")
    assert crossing.kernel.memory(controller, "A")["greens"] == (20, 14)


def test_webster__refuses_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="interval=0: expected a number above 0, in s"):
        Webster(interval=0)
