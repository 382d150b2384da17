import pytest

from sumo_gymnasium.signals.webster import Plan, optimal_cycle, scaled, webster


def test_optimal_cycle__by_hand() -> None:
    # Y = 0.3 + 0.2 = 0.5; C = (1.5 · 10 + 5) / (1 − 0.5) = 40
    assert optimal_cycle((0.3, 0.2), lost_time=10) == pytest.approx(40)


def test_webster__by_hand() -> None:
    # two phases that lose 5 s each: C = 40, effective green 30 = 18 + 12; shown: 18 + 5 − 4 and 12 + 5 − 4
    plan = webster((0.3, 0.2), phase_lost_time=5, intergreen=4)
    assert plan.greens == (19, 13)
    assert plan.cycle == 40


def test_webster__greens_in_whole_steps() -> None:
    # C = (1.5 · 8 + 5) / 0.54 = 31.48; effective 23.48 · 0.26/0.46 = 13.27 and 23.48 · 0.20/0.46 = 10.21
    assert webster((0.26, 0.20), phase_lost_time=4, intergreen=4).greens == (13, 10)
    assert webster((0.26, 0.20), phase_lost_time=4, intergreen=4, step_length=0.5).greens == (13.5, 10)


def test_webster__keeps_the_minimum_green() -> None:
    assert min(webster((0.4, 0.02), phase_lost_time=4, intergreen=3, min_green=7).greens) == 7


@pytest.mark.parametrize("ratios", [(0.6, 0.35), (0.8, 0.4)])
def test_webster__falls_back_on_the_longest_cycle(ratios: tuple[float, float]) -> None:
    # effective green: 100 − 2 · 4, shared by the ratios
    plan = webster(ratios, phase_lost_time=4, intergreen=4, max_cycle=100)
    assert plan.cycle == pytest.approx(100, abs=1)
    assert plan.greens[0] == pytest.approx(92 * ratios[0] / sum(ratios), abs=0.5)


def test_optimal_cycle__oversaturation_has_none() -> None:
    with pytest.raises(ValueError, match=r"sum to 1\.100; expected less than 1"):
        optimal_cycle((0.6, 0.5), lost_time=8)


@pytest.mark.parametrize("ratios", [(), (0.3, 0.0), (0.3, -0.1)])
def test_webster__ratios_without_meaning(ratios: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="expected one flow ratio above 0"):
        webster(ratios, phase_lost_time=4, intergreen=4)


def test_scaled__cycle_and_shares() -> None:
    # 0.8 · 70 = 56; 56 − 10 of intergreen = 46 of green, shared 40 : 20
    plan = scaled(Plan((40, 20), intergreen=5), 0.8)
    assert plan.greens == (31, 15)
    assert plan.cycle == 56


def test_scaled__by_one_changes_nothing() -> None:
    plan = Plan((25, 7, 25, 7), intergreen=3)
    assert scaled(plan, 1.0) == plan
