"""Traffic lights as agents, in PettingZoo's convention: `parallel_env()`, where all act at once, and `env()`."""

from typing import Any

from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import parallel_to_aec
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from sumo_gymnasium.envs.shared import Masked, Padded
from sumo_gymnasium.envs.traffic_light import parallel_traffic_light

__all__ = ["env", "parallel_env", "raw_env"]


def parallel_env(*, pad: bool = False, masked: bool = False, **arguments: Any) -> ParallelEnv[str, Any, Any]:
    """Signals as agents that act at once.

    Args:
        pad: all agents get one observation space and one action space; see `envs.shared.Padded`.
        masked: what an agent sees is `{"observation": …, "action_mask": …}`; see `envs.shared.Masked`.
        arguments: see `envs.traffic_light.parallel_traffic_light`.
    """
    made: ParallelEnv[str, Any, Any] = parallel_traffic_light(**arguments)
    if pad:
        made = Padded(made)
    return Masked(made) if masked else made


def raw_env(**arguments: Any) -> AECEnv[str, Any, Any]:
    """Signals as agents that act in turn: PettingZoo's own conversion of `parallel_env`, without further wrappers."""
    return parallel_to_aec(parallel_env(**arguments))


def env(**arguments: Any) -> AECEnv[str, Any, Any]:
    """Signals as agents that act in turn; what is called in a wrong order is refused."""
    return OrderEnforcingWrapper(raw_env(**arguments))
