from typing import Any

import pytest

from sumo_gymnasium.controllers.sotl import SelfOrganizing
from tests.controllers.crossing import Crossing, lane


def ask(crossing: Crossing, controller: SelfOrganizing, *seconds: float) -> list[int]:
    answers = []
    for second in seconds:
        crossing.time(second)
        answers.append(controller(crossing.kernel, "A"))
    return answers


def test_sotl__switches_once_enough_have_waited() -> None:
    # 3 vehicles at red for 5 s a decision: κ = 0, 15, 30, 45
    assert ask(Crossing(east=3), SelfOrganizing(threshold=45), 0, 5, 10, 15) == [0, 0, 0, 1]


def test_sotl__counts_seconds_not_decisions() -> None:
    assert ask(Crossing(east=3), SelfOrganizing(threshold=45), 0, 10, 20) == [0, 0, 1]


def test_sotl__counts_who_is_within_reach() -> None:
    crossing = Crossing()
    crossing.lanes["east"] = lane(3, positions=(5.0, 60.0, 99.0))
    assert ask(crossing, SelfOrganizing(threshold=45, reach=50), 0, 15, 20, 25) == [0, 0, 0, 1]


def test_sotl__nobody_at_red_changes_nothing() -> None:
    assert ask(Crossing(north=20), SelfOrganizing(threshold=1), 0, 100, 200) == [0, 0, 0]


def test_sotl__waits_for_its_min_green() -> None:
    crossing = Crossing(east=9)
    crossing.signal(legal=(True, False))
    assert ask(crossing, SelfOrganizing(threshold=10), 0, 50) == [0, 0]


def test_sotl__cuts_no_platoon_unless_it_is_large() -> None:
    crossing, controller = Crossing(east=9), SelfOrganizing(threshold=10, near=25, reach=80, platoon=3)
    crossing.lanes["north"] = lane(2, positions=(50.0, 80.0))
    assert ask(crossing, controller, 0, 50) == [0, 0]
    crossing.lanes["north"] = lane(2, positions=(30.0, 60.0))  # not near yet
    assert ask(crossing, controller, 55) == [1]
    crossing.lanes["north"] = lane(4, positions=(30.0, 60.0, 70.0, 80.0))
    assert ask(crossing, controller, 200) == [1]


def test_sotl__begins_anew_after_a_switch() -> None:
    crossing, controller = Crossing(north=1, east=9), SelfOrganizing(threshold=50, near=5)
    crossing.lanes["north"] = lane(1, positions=(50.0,))
    assert ask(crossing, controller, 0, 10) == [0, 1]
    crossing.signal(phase=1)
    crossing.lanes["east"] = lane()
    assert ask(crossing, controller, 20, 50, 60) == [1, 1, 0]  # κ of north: 10, 40, 50


def test_sotl__shows_the_phase_that_has_waited_most() -> None:
    crossing = Crossing(east=2, west=5)
    crossing.signal(phases=("GGrrr", "rrGrr", "rrrGr"), legal=(True, True, True))
    assert ask(crossing, SelfOrganizing(threshold=10), 0, 10) == [0, 2]


def test_sotl__max_green_ends_a_green() -> None:
    crossing = Crossing(north=2)
    crossing.signal(legal=(False, True))
    assert ask(crossing, SelfOrganizing(), 0) == [1]


@pytest.mark.parametrize("wrong", [{"threshold": 0}, {"reach": 10, "near": 20}, {"platoon": -1}])
def test_sotl__refuses_what_cannot_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        SelfOrganizing(**wrong)
