"""What an agent sees: a space, and an array inside it."""

from sumo_gymnasium.observations.observation import Observation
from sumo_gymnasium.observations.signal import OBSERVATIONS
from sumo_gymnasium.observations.vehicle import VEHICLE_OBSERVATIONS

__all__ = ["OBSERVATIONS", "VEHICLE_OBSERVATIONS", "Observation"]
