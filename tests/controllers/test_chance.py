from sumo_gymnasium.controllers.chance import RandomPhase
from tests.controllers.crossing import Crossing


def test_random__takes_every_legal_phase_and_no_other() -> None:
    crossing = Crossing()
    crossing.signal(phases=("GGrrr", "rrGGG", "rrrrr"), legal=(True, False, True))
    taken = []
    for second in range(50):
        crossing.time(second)
        taken.append(RandomPhase()(crossing.kernel, "A"))
    assert set(taken) == {0, 2}


def test_random__is_the_same_when_asked_again() -> None:
    kernel = Crossing().kernel
    assert len({RandomPhase()(kernel, "A") for _ in range(20)}) == 1
