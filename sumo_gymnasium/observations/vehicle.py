"""Observations of vehicles: the table of all."""

from sumo_gymnasium.observations.combined import Stack
from sumo_gymnasium.observations.fleet import AllVehicles, Fleet
from sumo_gymnasium.observations.kinematics import GlobalState, Kinematics
from sumo_gymnasium.observations.next_signal import NextSignal
from sumo_gymnasium.observations.observation import VEHICLE_OBSERVATIONS
from sumo_gymnasium.observations.own import LaneNeighbours, LeaderAndFollower, Own, SixNeighbours
from sumo_gymnasium.observations.segments import Segments
from sumo_gymnasium.observations.wave import WaveAttenuation

__all__ = ["VEHICLE_OBSERVATIONS"]

VEHICLE_OBSERVATIONS.update(
    {
        "own": Own(),
        "leader_and_follower": LeaderAndFollower(),
        "six_neighbours": SixNeighbours(),
        "lane_neighbours": LaneNeighbours(),
        "kinematics": Kinematics(),
        "kinematics_absolute": Kinematics(origin="network"),
        "accel": AllVehicles(),
        "lane_change": AllVehicles(columns=("speed", "x", "lane")),
        "wave_attenuation": WaveAttenuation(),
        "bottleneck": Segments(),
        "next_signal": NextSignal(),
        "global_state": GlobalState(),
    }
)
VEHICLE_OBSERVATIONS.update(
    {
        "merge": Fleet("leader_and_follower"),
        "wave_attenuation_stacked": Stack("wave_attenuation", frames=4),
    }
)
