import pytest

from sumo_gymnasium.observations.cells import PositionMatrix
from sumo_gymnasium.testing.fakes import FakeLane, FakeSignal, fake_kernel

LANES = {
    "long": FakeLane(
        length=100.0,
        speed=10.0,
        waiting=(0.0,) * 5,
        positions=(10.0, 80.0, 89.0, 91.0, 100.0),  # 90, 20, 11, 9 and 0 m before the end
        speeds=(9.0, 12.0, 5.0, 2.0, 0.0),
    ),
    "short": FakeLane(length=8.0, speed=20.0, waiting=(0.0,), positions=(1.0,), speeds=(5.0,)),
    "empty": FakeLane(),
}
KERNEL = fake_kernel(LANES, {"A": FakeSignal(incoming_lanes=tuple(LANES))})


def test_position_matrix__shows_speeds_from_the_end_of_each_lane() -> None:
    matrix = PositionMatrix(range=30.0, cell=10.0)
    values = matrix(KERNEL, "A")
    # the vehicle at 90 m is out of range; one faster than the limit is 1; of those at 9 and 0 m the first counts
    assert values.tolist() == [[0.0, 0.5, 1.0], [0.25, -1, -1], [-1, -1, -1]]
    assert matrix.space(KERNEL, "A").contains(values)


def test_position_matrix__has_the_same_row_for_all_lanes() -> None:
    assert PositionMatrix().space(KERNEL, "A").shape == (3, 20)
    assert PositionMatrix(range=16, cell=7.5).space(KERNEL, "A").shape == (3, 3)


@pytest.mark.parametrize("numbers", [(0.0, 7.5), (10.0, 0.0), (5.0, 7.5), (float("inf"), 7.5), (float("nan"), 7.5)])
def test_position_matrix__takes_cells_that_fit_its_range(numbers: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="expected 0 < cell <= range"):
        PositionMatrix(*numbers)
