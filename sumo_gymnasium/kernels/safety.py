"""Filters between the acceleration that is asked for and the one that SUMO is told: plain functions and dataclasses."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from sumo_gymnasium.kernels.neighbours import VehicleNeighbours

Filter = Callable[[VehicleNeighbours, str, float], float]
"""The acceleration (m/s²) that comes through, of the vehicles' reads, the vehicle and the acceleration asked for."""


def braking_distance(speed: float, deceleration: float, step_length: float) -> float:
    """How far one drives, if this step is driven at `speed` and each next one slower by a step's braking, m.

    So it is where speeds hold for a step (Euler's method): v·dt + (v − b·dt)·dt + ….
    """
    drop = deceleration * step_length
    count = math.floor(speed / drop) if speed > 0 else -1
    return step_length * ((count + 1) * speed - drop * count * (count + 1) / 2)


def speed_within(distance: float, deceleration: float, step_length: float) -> float:
    """The speed whose `braking_distance` this is, m/s; 0 if there is no room."""
    unit = deceleration * step_length**2
    if distance <= 0:
        return 0.0
    count = math.floor((math.sqrt(1 + 8 * distance / unit) - 1) / 2)
    rest = (distance / unit - count * (count + 1) / 2) / (count + 1)
    return (count + rest) * deceleration * step_length


@dataclass(frozen=True)
class EulerSafeSpeed:
    """Only as fast that it can stop behind its leader, min gap left free, if that brakes from now on as hard as it can.

    The safe speed of S. Krauß, Microscopic modeling of traffic flow (1998), with braking distances summed over steps.

    Attributes:
        deceleration: of both, m/s².
    """

    deceleration: float = 4.5

    def __post_init__(self) -> None:
        if not self.deceleration > 0:
            raise ValueError(f"deceleration={self.deceleration!r}: expected m/s², more than 0")

    def __call__(self, vehicles: VehicleNeighbours, vehicle: str, acceleration: float) -> float:
        """The acceleration, made lower if need be."""
        leader = vehicles.leader(vehicle)
        if leader is None:
            return acceleration
        step_length, speed = vehicles.step_length, vehicles.speed(vehicle)
        its_next = max(0.0, vehicles.speed(leader.id) - self.deceleration * step_length)
        room = leader.gap - vehicles.min_gap(vehicle) + braking_distance(its_next, self.deceleration, step_length)
        safe = speed_within(room, self.deceleration, step_length)
        return min(acceleration, (safe - speed) / step_length)


@dataclass(frozen=True)
class FeasibleAcceleration:
    """Only what the vehicle can do.

    Attributes:
        acceleration: at most, m/s².
        deceleration: at most, m/s², a positive number.
    """

    acceleration: float = 2.6
    deceleration: float = 4.5

    def __post_init__(self) -> None:
        if not (self.acceleration > 0 and self.deceleration > 0):
            raise ValueError(f"{self}: expected both in m/s², more than 0")

    def __call__(self, vehicles: VehicleNeighbours, vehicle: str, acceleration: float) -> float:
        """The acceleration within its bounds."""
        return min(max(acceleration, -self.deceleration), self.acceleration)


def within_speed_limit(vehicles: VehicleNeighbours, vehicle: str, acceleration: float) -> float:
    """The acceleration with which the vehicle is not faster than its lane allows after the next step."""
    limit = vehicles.speed_limit(vehicle)
    return min(acceleration, (limit - vehicles.speed(vehicle)) / vehicles.step_length)
