import pytest

from sumo_gymnasium.controllers.choice import best, green_lanes, green_links, legal_phases, near_counts, positive
from sumo_gymnasium.scenarios.net import Link
from tests.controllers.crossing import LINKS, Crossing, lane


def test_best__of_equals_is_the_present_phase_then_the_first() -> None:
    crossing = Crossing()
    crossing.signal(phase=1)
    assert best(crossing.kernel, "A", [3, 3]) == 1
    assert best(crossing.kernel, "A", [4, 3]) == 0
    crossing.signal(phases=("GG", "rr", "yy"), phase=2, legal=(True, True, False))
    assert best(crossing.kernel, "A", [3, 3, 3]) == 0


def test_best__is_legal() -> None:
    crossing = Crossing()
    crossing.signal(legal=(True, False))
    assert legal_phases(crossing.kernel, "A") == [0]
    assert best(crossing.kernel, "A", [0, 99]) == 0


def test_green_links__are_those_of_vehicles() -> None:
    assert green_links(Crossing().kernel, "A") == (LINKS[:2], LINKS[2:])


def test_green_lanes__are_named_once_though_they_have_several_links() -> None:
    crossing = Crossing()
    crossing.signal(links=(LINKS[0], Link(1, "north", "to_east", "", "l", False), *LINKS[2:]))
    assert green_lanes(crossing.kernel, "A") == (("north",), ("east", "west"))


def test_near_counts__leaves_out_what_is_far() -> None:
    crossing = Crossing()
    crossing.lanes["north"] = lane(3, positions=(10.0, 49.9, 50.0))
    crossing.lanes["south"] = lane(2, length=40.0)
    assert near_counts(crossing.kernel, ("north", "south", "east"), reach=50) == {"north": 1, "south": 2}


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), float("inf")])
def test_positive__says_what_was_expected(value: float) -> None:
    with pytest.raises(ValueError, match=r"reach=.*: expected a number above 0, in m"):
        positive("reach", value, "m")
