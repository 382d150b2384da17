"""What an agent sees: a space, and an array inside it."""

from sumo_gymnasium.observations.observation import Observation
from sumo_gymnasium.observations.signal import OBSERVATIONS

__all__ = ["OBSERVATIONS", "Observation"]
