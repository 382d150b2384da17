from dataclasses import replace

import pytest

from sumo_gymnasium.controllers.fixed import Fixed
from sumo_gymnasium.signals.program import Program
from tests.conftest import CASES, SMALL, Make
from tests.controllers.crossing import Crossing

PLAN = Program(
    "A", "0", "static", ("GGrrr", "yyrrr", "rrrrr", "rrGGG", "rryyr"), (10, 3, 2, 20, 3), ("",) * 5, offset=4.0
)


@pytest.mark.parametrize(
    ("second", "phase"),
    [(4, 0), (13, 0), (14, 1), (17, 1), (19, 1), (38, 1), (39, 0), (41, 0), (42, 0), (3, 0), (1, 0), (0, 1)],
)
def test_fixed__shows_what_the_plan_shows_or_goes_to(second: float, phase: int) -> None:
    crossing = Crossing()
    crossing.signal(program=PLAN)
    crossing.time(second)
    assert Fixed()(crossing.kernel, "A") == phase


def test_fixed__says_that_other_programs_have_no_plan() -> None:
    crossing = Crossing()
    crossing.signal(program=replace(PLAN, type="actuated"))
    with pytest.raises(ValueError, match=r"type 'actuated', which has no plan.*action='program'"):
        Fixed()(crossing.kernel, "A")


@pytest.mark.parametrize(
    ("scenario", "signal"),
    [(SMALL, "T"), (str(CASES / "11-begin-unsorted" / "a.sumocfg"), "c2"), ("intersection-asymmetric", "center")],
)
def test_fixed__is_the_program_itself_when_asked_each_second(scenario: str, signal: str, make: Make) -> None:
    shown = []
    for action in ("program", "phase"):
        env = make(scenario, signal=signal, action=action, decision_interval=1, host="inline")
        env.reset(seed=1)
        shown.append([])
        for _ in range(200):
            env.step(0 if action == "program" else env.unwrapped.act(Fixed()))
            shown[-1].append(env.unwrapped.query(lambda kernel: kernel.traffic_light.state(signal)))
        env.close()
    assert shown[0] == shown[1]
