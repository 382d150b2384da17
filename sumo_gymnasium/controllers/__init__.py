"""What a signal can be controlled by instead of a learner: `(kernel, signal) -> action`."""

from sumo_gymnasium.controllers.chance import RandomPhase
from sumo_gymnasium.controllers.controller import Controller, action_of
from sumo_gymnasium.controllers.cyclic_pressure import CyclicMaxPressure
from sumo_gymnasium.controllers.fixed import Fixed
from sumo_gymnasium.controllers.guarded_pressure import GuardedMaxPressure
from sumo_gymnasium.controllers.pressure import MaxPressure
from sumo_gymnasium.controllers.programs import SumoProgram
from sumo_gymnasium.controllers.queues import Greedy, LongestQueue
from sumo_gymnasium.controllers.sotl import SelfOrganizing
from sumo_gymnasium.controllers.webster import Webster

CONTROLLERS: dict[str, Controller] = {
    "fixed": Fixed(),
    "webster": Webster(),
    "max_pressure": MaxPressure(),
    "max_pressure_guarded": GuardedMaxPressure(),
    "cyclic_max_pressure": CyclicMaxPressure(),
    "sotl": SelfOrganizing(),
    "greedy": Greedy(),
    "longest_queue": LongestQueue(),
    "random": RandomPhase(),
    "actuated": SumoProgram("actuated"),
    "delay_based": SumoProgram("delay_based"),
}

__all__ = ["CONTROLLERS", "Controller", "action_of"]
