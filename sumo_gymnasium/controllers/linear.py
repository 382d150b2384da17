"""Linear controllers: following the leader, keeping the middle between two vehicles, and adaptive cruise control."""

import math
from dataclasses import dataclass
from typing import ClassVar

from sumo_gymnasium.controllers.ahead import ahead, positive
from sumo_gymnasium.kernels.kernel import Kernel


@dataclass(frozen=True)
class CarFollowing:
    """k_d (s − d) + k_v (v_l − v) + k_c (v_des − v): a linear car-following controller (B. Horn 2013, as in Flow).

    B. Horn, Suppressing traffic flow instabilities, IEEE Intelligent Transportation Systems Conference (2013), 13–20.
    With nobody ahead only the last term counts.

    Attributes:
        gap_gain: k_d, 1/s².
        speed_gain: k_v, 1/s.
        cruise_gain: k_c, 1/s.
        desired_gap: d, m.
        desired_speed: v_des, m/s.
        action: what the env must be made with.
    """

    action: ClassVar[str] = "any_acceleration"

    gap_gain: float = 1.0
    speed_gain: float = 1.0
    cruise_gain: float = 1.0
    desired_gap: float = 1.0
    desired_speed: float = 8.0

    def __post_init__(self) -> None:
        positive(desired_speed=self.desired_speed)

    def acceleration(self, speed: float, leader_speed: float, gap: float) -> float:
        """The formula, m/s²; speeds in m/s, gap in m (inf: nobody ahead)."""
        cruising = self.cruise_gain * (self.desired_speed - speed)
        if math.isinf(gap):
            return cruising
        return self.gap_gain * (gap - self.desired_gap) + self.speed_gain * (leader_speed - speed) + cruising

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """The acceleration, m/s²."""
        return self.acceleration(*ahead(kernel, vehicle))


@dataclass(frozen=True)
class Bilateral:
    """k_d (s − s_f) + k_v ((v_l − v) − (v − v_f)) + k_c (v_des − v): seeks the middle between leader and follower.

    B. Horn, Suppressing traffic flow instabilities, IEEE Intelligent Transportation Systems Conference (2013), 13–20.
    Without a leader or a follower only the last term counts.

    Attributes:
        gap_gain: k_d, 1/s².
        speed_gain: k_v, 1/s.
        cruise_gain: k_c, 1/s.
        desired_speed: v_des, m/s.
        action: what the env must be made with.
    """

    action: ClassVar[str] = "any_acceleration"

    gap_gain: float = 1.0
    speed_gain: float = 1.0
    cruise_gain: float = 1.0
    desired_speed: float = 8.0

    def __post_init__(self) -> None:
        positive(desired_speed=self.desired_speed)

    def acceleration(
        self, speed: float, leader_speed: float, gap: float, follower_speed: float, follower_gap: float
    ) -> float:
        """The formula, m/s²; speeds in m/s, gaps in m (inf: nobody there)."""
        cruising = self.cruise_gain * (self.desired_speed - speed)
        if math.isinf(gap) or math.isinf(follower_gap):
            return cruising
        relative = (leader_speed - speed) - (speed - follower_speed)
        return self.gap_gain * (gap - follower_gap) + self.speed_gain * relative + cruising

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """The acceleration, m/s²."""
        front, follower = ahead(kernel, vehicle), kernel.vehicle.follower(vehicle)
        if follower is None:
            return self.acceleration(*front, front.speed, math.inf)
        return self.acceleration(*front, kernel.vehicle.speed(follower.id), follower.gap)


@dataclass(frozen=True)
class AdaptiveCruise:
    """Linear adaptive cruise control with a constant time gap: u = k_1 (s − h v) + k_2 (v_l − v), a' = (u − a) / τ.

    R. Rajamani, C. Zhu, Semi-autonomous adaptive cruise control systems, IEEE Transactions on Vehicular Technology 51
    (2002), for the policy; gains and lag are Flow's (Wu et al. 2021), where the vehicle's length is taken off the gap
    once more. The lag is stepped by the time since the controller was asked before (at first, one simulation step).
    With nobody ahead it keeps its speed.

    Attributes:
        gap_gain: k_1, 1/s².
        speed_gain: k_2, 1/s.
        time_gap: h, s.
        lag: τ, s.
        action: what the env must be made with.
    """

    action: ClassVar[str] = "any_acceleration"

    gap_gain: float = 0.3
    speed_gain: float = 0.4
    time_gap: float = 1.0
    lag: float = 0.1

    def __post_init__(self) -> None:
        positive(time_gap=self.time_gap, lag=self.lag)

    def wanted(self, speed: float, leader_speed: float, gap: float) -> float:
        """The acceleration before the lag (u), m/s²; speeds in m/s, gap in m (inf: nobody ahead)."""
        if math.isinf(gap):
            return 0.0
        return self.gap_gain * (gap - self.time_gap * speed) + self.speed_gain * (leader_speed - speed)

    def lagged(self, acceleration: float, wanted: float, elapsed: float) -> float:
        """The acceleration (a) after `elapsed` s, m/s²: Euler's step, which never goes beyond u."""
        return acceleration + (wanted - acceleration) * min(elapsed / self.lag, 1.0)

    def __call__(self, kernel: Kernel, vehicle: str) -> float:
        """The acceleration, m/s²."""
        memory, now = kernel.memory(self, vehicle), kernel.simulation.time
        elapsed = now - memory.get("time", now - kernel.simulation.step_length)
        found = self.lagged(memory.get("acceleration", 0.0), self.wanted(*ahead(kernel, vehicle)), elapsed)
        memory.update(time=now, acceleration=found)
        return found
