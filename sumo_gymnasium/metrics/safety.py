"""How close a vehicle is to a crash with its leader: surrogate safety measures."""

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.metrics.around import still_there

LONGEST = 100.0  # s; what a time reads at most, and where nobody is ahead
HARDEST = 100.0  # m/s²; what a deceleration reads at most
SHORT_TIME_GAP = 1.0  # s; Flow's


def time_to_collision(kernel: Kernel, vehicle: str) -> float:
    """When it meets its leader if both keep their speeds, s, at most 100: TTC = gap / (v − v_l) (Hayward 1972)."""
    leader = still_there(kernel, kernel.vehicle.leader(vehicle))
    if leader is None:
        return LONGEST
    closing = kernel.vehicle.speed(vehicle) - kernel.vehicle.speed(leader.id)
    return min(max(leader.gap, 0.0) / closing, LONGEST) if closing > 0 else LONGEST


def drac(kernel: Kernel, vehicle: str) -> float:
    """Deceleration rate to avoid a crash, m/s², at most 100: (v − v_l)² / (2 gap) where it closes in, else 0.

    D. Cooper and N. Ferguson, Traffic studies at T-junctions, Traffic Engineering and Control 17 (1976); with the 2 as
    in SUMO's SSM device.
    """
    leader = still_there(kernel, kernel.vehicle.leader(vehicle))
    if leader is None:
        return 0.0
    closing = kernel.vehicle.speed(vehicle) - kernel.vehicle.speed(leader.id)
    if closing <= 0:
        return 0.0
    return min(closing**2 / (2 * leader.gap), HARDEST) if leader.gap > 0 else HARDEST


def time_gap(kernel: Kernel, vehicle: str) -> float:
    """When its front reaches where the leader's back is now, s, at most 100: gap / v; time headway counts fronts."""
    leader, speed = still_there(kernel, kernel.vehicle.leader(vehicle)), kernel.vehicle.speed(vehicle)
    if leader is None or speed <= 0:
        return LONGEST
    return min(max(leader.gap, 0.0) / speed, LONGEST)


def time_gap_penalty(kernel: Kernel, vehicle: str) -> float:
    """By what part its time gap is short of 1 s: min(time gap − 1, 0), −1 to 0 (Flow's merge, "time headway")."""
    return min(time_gap(kernel, vehicle) / SHORT_TIME_GAP - 1.0, 0.0)


def collided(kernel: Kernel, vehicle: str) -> float:
    """1 if it was in a collision in this decision, else 0."""
    vehicles = kernel.vehicle
    return float(vehicle in vehicles.collided or vehicles.gone.get(vehicle) == "collided")
