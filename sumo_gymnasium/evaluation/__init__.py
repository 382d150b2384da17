"""How well does a policy do? `evaluate` one, or `compare` several, on given seeds, by SUMO's own accounts."""

from sumo_gymnasium.evaluation.comparison import Comparison, compare
from sumo_gymnasium.evaluation.policies import Policy
from sumo_gymnasium.evaluation.result import EpisodeResult, Input, Result
from sumo_gymnasium.evaluation.summary import Summary
from sumo_gymnasium.evaluation.trial import evaluate

__all__ = ["Comparison", "EpisodeResult", "Input", "Policy", "Result", "Summary", "compare", "evaluate"]
