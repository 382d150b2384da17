import numpy as np
import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.ranges import bounds, draw, number, whole


def test_draw__stays_in_the_range_and_uses_as_much_chance_as_a_number() -> None:
    one, other = np.random.default_rng(1), np.random.default_rng(1)
    values = [draw((2.0, 3.0), one) for _ in range(100)]
    assert [draw(2.5, other) for _ in range(100)] == [2.5] * 100
    assert 2 <= min(values) < 2.1
    assert 2.9 < max(values) <= 3
    assert one.random() == other.random()


def test_bounds__takes_what_json_gives() -> None:
    assert bounds("x", [1, 2]) == (1.0, 2.0)
    assert bounds("x", np.float32(1)) == 1.0


@pytest.mark.parametrize("given", ["1", None, True, float("nan"), float("inf"), -1, [2, 1], [1], [1, 2, 3], [1, "2"]])
def test_bounds__refuses_what_is_no_range(given: object) -> None:
    with pytest.raises(ScenarioError, match="x="):
        bounds("x", given)


@pytest.mark.parametrize("given", [0, 11, 2.0, True, "3"])
def test_whole__refuses_what_is_no_count(given: object) -> None:
    with pytest.raises(ScenarioError, match="expected a whole number, 1 to 10"):
        whole("rows", given, least=1, most=10)


def test_number__says_its_limits() -> None:
    with pytest.raises(ScenarioError, match="share=2: expected a number, 0 to 1"):
        number("share", 2, most=1)
