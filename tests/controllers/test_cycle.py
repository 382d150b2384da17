from sumo_gymnasium.controllers.cycle import in_turn
from tests.controllers.crossing import Crossing


def test_in_turn__a_green_ends_at_the_nearest_decision() -> None:
    crossing = Crossing()  # decisions are 5 s apart
    for shown, phase in ((10.0, 0), (12.0, 0), (12.6, 1), (15.0, 1), (20.0, 1)):
        crossing.signal(green_time=shown)
        assert in_turn(crossing.kernel, "A", (15.0, 10.0)) == phase


def test_in_turn__goes_round() -> None:
    crossing = Crossing()
    crossing.signal(phase=1)
    assert in_turn(crossing.kernel, "A", (15.0, 10.0)) == 0


def test_in_turn__skips_no_phase_on_its_way() -> None:
    crossing = Crossing()
    crossing.signal(phase=1, green_time=0.0, legal=(False, True))
    assert in_turn(crossing.kernel, "A", (15.0, 2.0)) == 1


def test_in_turn__max_green_ends_a_green() -> None:
    crossing = Crossing()
    crossing.signal(legal=(False, True))
    assert in_turn(crossing.kernel, "A", (60.0, 10.0)) == 1
