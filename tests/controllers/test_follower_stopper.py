import math

import pytest

from sumo_gymnasium.controllers.follower_stopper import FollowerStopper

CAR = FollowerStopper(desired_speed=8.0)


@pytest.mark.parametrize(
    ("gap", "speed"),
    [
        (0.0, 0.0),
        (4.5, 0.0),
        (4.875, 3.0),  # half way to the leader's 6 m/s
        (5.25, 6.0),
        (5.625, 7.0),  # half way from there to U
        (6.0, 8.0),
        (60.0, 8.0),
        (math.inf, 8.0),
    ],
)
def test_follower_stopper__has_three_bands(gap: float, speed: float) -> None:
    assert CAR.speed(6.0, 6.0, gap) == pytest.approx(speed)


def test_follower_stopper__bands_grow_where_it_closes_in() -> None:
    # Δv = −3: Δx = 4.5 + 9 / 3, 5.25 + 9 / 2, 6 + 9 / 1
    speeds = [CAR.speed(9.0, 6.0, gap) for gap in (7.5, (7.5 + 9.75) / 2, 9.75, (9.75 + 15) / 2, 15.0)]
    assert speeds == pytest.approx([0, 3, 6, 7, 8])


def test_follower_stopper__bands_do_not_shrink_where_the_leader_leaves() -> None:
    assert CAR.speed(3.0, 6.0, 4.875) == pytest.approx(3.0)


def test_follower_stopper__third_band_does_not_know_its_own_speed() -> None:
    assert CAR.speed(2.0, 6.0, 5.625) == CAR.speed(5.0, 6.0, 5.625)  # Flow's formula differs here


def test_follower_stopper__never_follows_above_its_desired_speed() -> None:
    assert CAR.speed(8.0, 20.0, 5.25) == 8.0
    assert CAR.speed(1.0, -1.0, 5.25) < 0.1


def test_follower_stopper__needs_a_speed() -> None:
    with pytest.raises(ValueError, match=r"desired_speed=0\.0: expected"):
        FollowerStopper(0.0)
