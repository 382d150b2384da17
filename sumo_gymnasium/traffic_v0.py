"""Signals and vehicles as agents, in PettingZoo's convention: `parallel_env()`, where all act at once, and `env()`."""

from typing import Any

from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import parallel_to_aec
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from sumo_gymnasium.envs.vehicle import parallel_traffic

__all__ = ["env", "parallel_env", "raw_env"]


def parallel_env(**arguments: Any) -> ParallelEnv[str, Any, Any]:
    """Signals and vehicles as agents that act at once; see `envs.vehicle.parallel_traffic`."""
    return parallel_traffic(**arguments)


def raw_env(**arguments: Any) -> AECEnv[str, Any, Any]:
    """Agents that act in turn: PettingZoo's own conversion of `parallel_env`, without further wrappers."""
    return parallel_to_aec(parallel_env(**arguments))


def env(**arguments: Any) -> AECEnv[str, Any, Any]:
    """Signals and vehicles as agents that act in turn; what is called in a wrong order is refused."""
    return OrderEnforcingWrapper(raw_env(**arguments))
