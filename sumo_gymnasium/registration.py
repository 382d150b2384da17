"""The registered ids: a table, one row an id."""

from typing import Any

import gymnasium

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
}


def register_all() -> None:
    """Register the ids with Gymnasium; an id that is there already is left alone."""
    for name, row in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(id=name, **row)
