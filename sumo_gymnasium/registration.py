"""The registered ids: a table, one row an id."""

from typing import Any

import gymnasium
import pettingzoo

IDS: dict[str, dict[str, Any]] = {
    "SumoTrafficLight-v0": {
        "entry_point": "sumo_gymnasium.envs.traffic_light:traffic_light",
        "kwargs": {
            "scenario": "intersection-uniform",
            "observation": "phase_and_queues",
            "action": "phase",
            "reward": "waiting_time_decrease",
        },
    },
    "SumoTrafficLightCentral-v0": {
        "entry_point": "sumo_gymnasium.envs.traffic_light:central_traffic_light",
        "kwargs": {
            "scenario": "grid",
            "observation": "phase_and_queues",
            "action": "phase",
            "reward": "waiting_time_decrease",
        },
    },
}


PETTINGZOO: dict[str, str] = {"sumo_gymnasium/traffic_light-v0": "sumo_gymnasium.traffic_light_v0"}


def register_all() -> None:
    """Register the ids with Gymnasium, and with PettingZoo where that has a registry.

    An id that is there already is left alone.
    """
    for name, row in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(id=name, **row)
    if hasattr(pettingzoo, "register"):
        for name, module in PETTINGZOO.items():
            for kind, function, known in (
                ("parallel", "parallel_env", pettingzoo.parallel_registry),
                ("aec", "env", pettingzoo.aec_registry),
            ):
                if name not in known:
                    pettingzoo.register(kind, name, f"{module}:{function}")
