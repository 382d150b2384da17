"""Gymnasium and PettingZoo environments for the traffic simulator SUMO. Importing it registers the ids."""

from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.errors import HostBusy, NotRunning, ScenarioError, SimulationCrashed, SumoGymnasiumError
from sumo_gymnasium.registration import register_all
from sumo_gymnasium.rewards import Decrease, Vector, Weighted
from sumo_gymnasium.scenarios.scenario import Scenario

__version__ = "0.1.0"

__all__ = [
    "Decrease",
    "HostBusy",
    "NotRunning",
    "Scenario",
    "ScenarioError",
    "SimulationCrashed",
    "SumoConfig",
    "SumoGymnasiumError",
    "Vector",
    "Weighted",
    "register_all",
]

register_all()
