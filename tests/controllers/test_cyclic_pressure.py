import math

import pytest

from sumo_gymnasium.controllers.cyclic_pressure import CyclicMaxPressure
from tests.controllers.crossing import Crossing


def test_greens__share_the_cycle_by_the_exponential_of_pressure() -> None:
    # two phases of 5 s min green and 3 s yellow: 90 − 16 = 74 s to share, by e^0.5 : e^0.2
    greens = CyclicMaxPressure(cycle=90, sensitivity=0.1).greens(Crossing(north=5, east=2).kernel, "A")
    share = math.exp(0.5) / (math.exp(0.5) + math.exp(0.2))
    assert greens == pytest.approx((5 + 74 * share, 5 + 74 * (1 - share)))
    assert sum(greens) + 2 * 3 == pytest.approx(90)


def test_greens__are_equal_without_sensitivity_and_do_not_overflow_with_much() -> None:
    kernel = Crossing(north=50).kernel
    assert CyclicMaxPressure(sensitivity=0).greens(kernel, "A") == pytest.approx((42, 42))
    assert CyclicMaxPressure(sensitivity=1e6).greens(kernel, "A") == pytest.approx((79, 5))


def test_greens__are_at_least_min_green_in_a_cycle_too_short() -> None:
    assert CyclicMaxPressure(cycle=10).greens(Crossing(north=5).kernel, "A") == (5, 5)


def test_cycle__is_planned_when_it_begins() -> None:
    crossing, controller = Crossing(north=30), CyclicMaxPressure(cycle=60, sensitivity=10)  # 5 + 44 s for north
    assert controller(crossing.kernel, "A") == 0
    crossing.lanes.update(Crossing(east=30).lanes)
    crossing.signal(green_time=40.0)
    assert controller(crossing.kernel, "A") == 0  # as planned
    crossing.signal(green_time=49.0)
    assert controller(crossing.kernel, "A") == 1
    crossing.signal(phase=1, green_time=5.0)
    assert controller(crossing.kernel, "A") == 0  # planned anew, for east
    crossing.signal(phase=0, green_time=5.0)
    assert controller(crossing.kernel, "A") == 1


@pytest.mark.parametrize("wrong", [{"cycle": 0}, {"sensitivity": -0.1}])
def test_cycle__refuses_what_cannot_be(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="expected a number"):
        CyclicMaxPressure(**wrong)
