import pytest

from sumo_gymnasium.controllers.queues import Greedy, LongestQueue
from tests.controllers.crossing import Crossing, lane


def test_greedy__counts_who_is_near() -> None:
    crossing = Crossing()
    crossing.lanes["north"] = lane(4, positions=(10.0, 20.0, 30.0, 40.0))
    crossing.lanes["east"] = lane(1, positions=(60.0,))
    assert Greedy(reach=50)(crossing.kernel, "A") == 1
    assert Greedy(reach=100)(crossing.kernel, "A") == 0


def test_greedy__does_not_care_for_what_is_behind() -> None:
    assert Greedy()(Crossing(east=2, to_west=50).kernel, "A") == 1


def test_greedy__keeps_the_phase_in_a_tie() -> None:
    crossing = Crossing(north=2, east=2)
    crossing.signal(phase=1)
    assert Greedy()(crossing.kernel, "A") == 1


def test_longest_queue__counts_who_stands() -> None:
    crossing = Crossing()
    crossing.lanes["north"] = lane(9, queue=1)
    crossing.lanes["west"] = lane(2, queue=2)
    assert LongestQueue()(crossing.kernel, "A") == 1
    crossing.signal(legal=(True, False))
    assert LongestQueue()(crossing.kernel, "A") == 0


def test_greedy__refuses_no_reach() -> None:
    with pytest.raises(ValueError, match="reach=0: expected a number above 0, in m"):
        Greedy(reach=0)
