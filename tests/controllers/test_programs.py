from sumo_gymnasium.actions.programs import RunProgram
from sumo_gymnasium.controllers import CONTROLLERS, action_of
from sumo_gymnasium.controllers.programs import SumoProgram
from tests.controllers.crossing import Crossing


def test_sumo_program__has_the_action_that_it_needs_and_nothing_to_decide() -> None:
    controller = SumoProgram("delay_based")
    assert action_of(controller) == RunProgram("delay_based")
    assert controller(Crossing().kernel, "A") == 0


def test_action_of__is_the_phase_unless_a_controller_says_otherwise() -> None:
    theirs = {name: action_of(controller) for name, controller in CONTROLLERS.items()}
    assert {name for name, action in theirs.items() if action == "phase"} == set(CONTROLLERS) - {
        "actuated",
        "delay_based",
    }
    assert action_of(lambda kernel, signal: 0) == "phase"
