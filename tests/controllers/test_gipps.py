import math
from typing import Any

import pytest

from sumo_gymnasium.controllers.gipps import Gipps


def test_gipps__accelerates_alone_as_its_formula_says() -> None:
    # 2.5 · 1.5 · (1 − 1/3) · √(0.025 + 1/3), over τ = 1 s
    assert Gipps().acceleration(10.0, 10.0, math.inf) == pytest.approx(2.5 * math.sqrt(0.025 + 1 / 3))


def test_gipps__keeps_its_desired_speed() -> None:
    assert Gipps().acceleration(30.0, 30.0, math.inf) == 0.0


def test_gipps__drives_as_fast_as_it_could_still_stop() -> None:
    # −1 + √(1 + 2 · (12 − 2) − 4 + 36) = −1 + √53
    assert Gipps().safe_speed(4.0, 6.0, 12.0) == pytest.approx(math.sqrt(53) - 1)
    assert Gipps().acceleration(4.0, 0.0, 4.0) == pytest.approx(-1 + math.sqrt(1 + 4 - 4) - 4)


def test_gipps__stands_where_it_is_too_late() -> None:
    assert Gipps().safe_speed(10.0, 0.0, 2.0) == 0.0


def test_gipps__comes_to_rest_behind_a_standing_leader() -> None:
    model, position, speed, step_length = Gipps(), 0.0, 15.0, 0.1
    for _ in range(1200):
        speed = max(speed + step_length * model.acceleration(speed, 0.0, 200.0 - position), 0.0)
        position += speed * step_length
    assert 195.0 < position <= 198.5
    assert speed < 0.1


@pytest.mark.parametrize("wrong", [{"deceleration": 1.0}, {"reaction_time": 0.0}, {"leader_deceleration": 0.0}])
def test_gipps__refuses_what_cannot_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Gipps(**wrong)
