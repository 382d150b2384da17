import math

import pytest

from sumo_gymnasium.evaluation.summary import Summary, confidence_interval, student_t


@pytest.mark.parametrize(  # Abramowitz & Stegun 1964, table 26.10, and the normal distribution at the end
    ("freedom", "t"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (10, 2.228), (30, 2.042), (120, 1.980)],
)
def test_student_t__is_that_of_the_tables(freedom: int, t: float) -> None:
    assert student_t(freedom) == pytest.approx(t, abs=5e-4)


def test_student_t__becomes_the_normal_distributions() -> None:
    assert student_t(10_000) == pytest.approx(1.95996, abs=5e-4)
    assert student_t(1, level=0.5) == pytest.approx(1.0)


def test_student_t__needs_two_numbers() -> None:
    with pytest.raises(ValueError, match="freedom=0: expected at least 1"):
        student_t(0)


def test_confidence_interval__on_hand_made_numbers() -> None:
    low, high = confidence_interval([1.0, 2.0, 3.0, 4.0, 5.0]) or (0.0, 0.0)
    half = 2.776445 * math.sqrt(2.5) / math.sqrt(5)
    assert (low, high) == (pytest.approx(3 - half), pytest.approx(3 + half))


def test_summary__keeps_apart_mean_and_median() -> None:
    summary = Summary.of([10.0, 11.0, 12.0, 967.0])
    assert summary is not None
    assert (summary.count, summary.mean, summary.median) == (4, 250.0, 11.5)


def test_summary__of_one_number_has_no_interval_and_of_none_is_none() -> None:
    assert Summary.of([7.0]) == Summary(1, 7.0, 7.0, None)
    assert Summary.of([]) is None
    assert Summary.of([7.0, 7.0]) == Summary(2, 7.0, 7.0, (7.0, 7.0))
