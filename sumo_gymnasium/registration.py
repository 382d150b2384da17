"""The registered ids: a table, one row an id."""

from typing import Any

import gymnasium
import pettingzoo


def _ego(scenario: str, **kwargs: Any) -> dict[str, Any]:
    """A row of one vehicle of type "agent" among SUMO's drivers."""
    kwargs = {"scenario": scenario, "types": ["agent"], "observation": "leader_and_follower", **kwargs}
    return {"entry_point": "sumo_gymnasium.envs.vehicle:vehicle", "kwargs": kwargs}


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
    "SumoVehicle-v0": {
        "entry_point": "sumo_gymnasium.envs.vehicle:vehicle",
        "kwargs": {
            "scenario": "highway",
            "observation": "leader_and_follower",
            "action": "acceleration",
            "reward": "desired_velocity",
        },
    },
    "SumoRing-v0": _ego("ring", observation="wave_attenuation", reward="wave_attenuation", decision_interval=0.1),
    "SumoFigureEight-v0": _ego("figure_eight", decision_interval=0.1),
    "SumoMerge-v0": _ego("merge", reward="merge", decision_interval=0.5),
    "SumoBottleneck-v0": _ego("bottleneck", decision_interval=0.5),
    "SumoHighway-v0": _ego(
        "highway", observation="kinematics", action="maneuver", reward="highway", decision_interval=1.0
    ),
    "SumoIntersection-v0": _ego("crossing", observation="kinematics", reward="safe_progress", decision_interval=0.5),
    "SumoRoundabout-v0": _ego("roundabout", observation="kinematics", reward="safe_progress", decision_interval=0.5),
}


PETTINGZOO: dict[str, str] = {
    "sumo_gymnasium/traffic_light-v0": "sumo_gymnasium.traffic_light_v0",
    "sumo_gymnasium/vehicle-v0": "sumo_gymnasium.vehicle_v0",
    "sumo_gymnasium/traffic-v0": "sumo_gymnasium.traffic_v0",
}


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
