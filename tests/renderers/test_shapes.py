import math

import pytest

from sumo_gymnasium.renderers.shapes import along, band, beside, box, dashes, distinct, end_of

BEND = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0))


def near(shape: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    return [(round(x, 6), round(y, 6)) for x, y in shape]


def test_distinct__drops_repeated_points_only() -> None:
    assert distinct(((0, 0), (0, 0), (1, 0), (0, 0))) == ((0, 0), (1, 0), (0, 0))


def test_beside__keeps_its_distance_in_a_bend() -> None:
    assert near(beside(BEND, 2.0)) == [(0, 2), (8, 2), (8, 10)]
    assert near(beside(BEND, -2.0)) == [(0, -2), (12, -2), (12, 10)]


def test_beside__does_not_run_away_where_the_line_turns_back() -> None:
    back = ((0.0, 0.0), (10.0, 0.0), (0.0, 0.1))
    assert all(math.dist(a, b) < 4 * 2.0 for a, b in zip(back, beside(back, 2.0), strict=True))


def test_band__is_as_wide_as_asked() -> None:
    assert near(band(((0, 0), (10, 0)), 3.0)) == [(0, 1.5), (10, 1.5), (10, -1.5), (0, -1.5)]


def test_dashes__are_pieces_with_gaps_between() -> None:
    assert [near(dash) for dash in dashes(((0, 0), (10, 0)), 2.0, 3.0)] == [
        [(1.5, 0), (3.5, 0)],
        [(6.5, 0), (8.5, 0)],
    ]


def test_dashes__none_fits_into_a_short_line() -> None:
    assert list(dashes(((0, 0), (2, 0)), 2.0, 3.0)) == []


def test_along__goes_round_the_bend() -> None:
    assert near(along(BEND, 8.0, 13.0)) == [(8, 0), (10, 0), (10, 3)]


def test_along__goes_straight_on_where_the_line_ends() -> None:
    assert near(along(BEND, 18.0, 23.0)) == [(10, 8), (10, 13)]


def test_box__lies_behind_the_front() -> None:
    assert sorted(near(box((10, 0), (1, 0), 4.0, 2.0))) == [(6, -1), (6, 1), (10, -1), (10, 1)]
    assert sorted(near(box((10, 0), (1, 0), 4.0, 2.0, 1.0))) == [(5, -1), (5, 1), (9, -1), (9, 1)]


def test_end_of__has_the_last_heading() -> None:
    point, heading = end_of(BEND)
    assert point == (10.0, 10.0)
    assert heading == pytest.approx((0.0, 1.0))
