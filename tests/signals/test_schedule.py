import pytest

from sumo_gymnasium.signals.program import Program
from sumo_gymnasium.signals.schedule import index_at


def program(offset: float = 0.0) -> Program:
    return Program("A", "0", "static", ("G", "y", "r"), (10.0, 3.0, 7.5), offset=offset)


@pytest.mark.parametrize(("time", "index"), [(0, 0), (9.9, 0), (10, 1), (12.999, 1), (13, 2), (20.4, 2), (20.5, 0)])
def test_index_at__goes_through_the_states(time: float, index: int) -> None:
    assert index_at(program(), time) == index


@pytest.mark.parametrize("offset", [4.0, -16.5, 24.5])
def test_index_at__an_offset_shifts_to_later(offset: float) -> None:
    assert [index_at(program(offset), time) for time in (3.9, 4, 13.9, 14, 17)] == [2, 0, 0, 1, 2]
