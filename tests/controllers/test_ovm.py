import math
from typing import Any

import pytest

from sumo_gymnasium.controllers.ovm import BandoFollowTheLeader, LinearOptimalVelocity, OptimalVelocity


def test_linear_ovm__starts_from_rest() -> None:  # figure 6
    accelerations = [LinearOptimalVelocity().acceleration(0.0, 0.0, gap) for gap in (5.0, 10.0, 10.0, 15.0, 0.0)]
    assert accelerations == pytest.approx([0, 12.992308, 12.992308, 25.984615, 0], abs=1e-6)


def test_linear_ovm__has_a_highest_speed() -> None:
    assert LinearOptimalVelocity().acceleration(30.0, 0.0, math.inf) == 0.0


@pytest.mark.parametrize(("gap", "speed"), [(0.0, 0), (2.0, 0), (8.5, 15), (15.0, 30), (99.0, 30), (math.inf, 30)])
def test_ovm__seeks_a_speed_by_its_gap(gap: float, speed: float) -> None:
    assert OptimalVelocity().optimal_speed(gap) == pytest.approx(speed)


def test_ovm__adds_the_leader_s_speed() -> None:
    assert OptimalVelocity(2.0, 3.0).acceleration(10.0, 12.0, 8.5) == pytest.approx(2 * (15 - 10) + 3 * (12 - 10))


def test_bando_ftl__goes_from_rest_to_its_highest_speed() -> None:
    model = BandoFollowTheLeader()
    assert model.optimal_speed(0.0) == 0.0
    assert model.optimal_speed(4.0) == pytest.approx(32 * math.tanh(2) / (1 + math.tanh(2)))
    assert model.optimal_speed(math.inf) == 32.0


def test_bando_ftl__weighs_the_relative_speed_by_the_squared_gap() -> None:
    model = BandoFollowTheLeader()
    same = model.acceleration(10.0, 10.0, 5.0)
    assert model.acceleration(10.0, 7.0, 5.0) - same == pytest.approx(20 * -3 / 25)
    assert model.acceleration(32.0, 32.0, math.inf) == 0.0


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (OptimalVelocity, {"stop_gap": 20.0}),
        (OptimalVelocity, {"max_speed": 0.0}),
        (LinearOptimalVelocity, {"adaptation_time": 0.0}),
        (BandoFollowTheLeader, {"scale": -2.0}),
    ],
)
def test_ovm__refuses_what_cannot_be(kind: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        kind(**wrong)
