"""Metrics of one vehicle: how it drives. The table of all metrics of vehicles."""

from sumo_gymnasium.config import SHORTEST
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.metrics.energy import fuel, power, total_power
from sumo_gymnasium.metrics.metric import Metric, name_of
from sumo_gymnasium.metrics.safety import collided, drac, time_gap, time_gap_penalty, time_to_collision
from sumo_gymnasium.metrics.traffic import HALTING, DesiredVelocity, mean_speed, min_delay, standing_vehicles


def speed(kernel: Kernel, vehicle: str) -> float:
    """m/s."""
    return kernel.vehicle.speed(vehicle)


def speed_ratio(kernel: Kernel, vehicle: str) -> float:
    """Speed over the limit of its lane; above 1 where it drives faster than that."""
    return kernel.vehicle.speed(vehicle) / kernel.vehicle.speed_limit(vehicle)


def distance(kernel: Kernel, vehicle: str) -> float:
    """Driven since departure, m; `Decrease("distance", scale=-1)` is the progress of a decision."""
    return kernel.vehicle.distance(vehicle)


def acceleration(kernel: Kernel, vehicle: str) -> float:
    """What came about in the last simulation step, m/s²."""
    return kernel.vehicle.acceleration(vehicle)


def effort(kernel: Kernel, vehicle: str) -> float:
    """How hard an acceleration is asked for, m/s², without its sign; 0 if none is.

    Of a target speed it is what would lead to that in one simulation step, which can be a lot.
    """
    return abs(kernel.vehicle.requested(vehicle) or 0.0)


def jerk(kernel: Kernel, vehicle: str) -> float:
    """How fast the acceleration changed since the reading before, m/s³, without its sign; 0 at first."""
    memory, now = kernel.memory(jerk, vehicle), kernel.simulation.time
    if memory.get("time") != now:
        present = kernel.vehicle.acceleration(vehicle)
        change, elapsed = abs(present - memory.get("acceleration", present)), now - memory.get("time", now)
        memory.update(time=now, acceleration=present, jerk=change / elapsed if elapsed else 0.0)
    found: float = memory["jerk"]
    return found


def standing(kernel: Kernel, vehicle: str) -> float:
    """1 if it is slower than 0.1 m/s, else 0."""
    return float(kernel.vehicle.speed(vehicle) < HALTING)


def lane_changed(kernel: Kernel, vehicle: str) -> float:
    """1 if it changed lanes since the reading before, else 0; 0 at first."""
    memory, now = kernel.memory(lane_changed, vehicle), kernel.simulation.time
    if memory.get("time") != now:
        elapsed = now - memory.get("time", now)
        changed = kernel.vehicle.time_since_lane_change(vehicle) < elapsed - SHORTEST / 2
        memory.update(time=now, changed=float(changed))
    found: float = memory["changed"]
    return found


def right_lane(kernel: Kernel, vehicle: str) -> float:
    """How far to the right it drives: 1 on the rightmost lane of its edge, 0 on the leftmost; 1 if there is but one."""
    lane = kernel.network.lanes[kernel.vehicle.lane(vehicle)]
    others = len(kernel.network.edges[lane.edge].lanes) - 1
    return 1.0 - lane.index / others if others else 1.0


VEHICLE_METRICS: dict[str, Metric] = {
    name_of(metric): metric
    for metric in (
        speed,
        speed_ratio,
        distance,
        acceleration,
        effort,
        jerk,
        standing,
        lane_changed,
        right_lane,
        power,
        total_power,
        fuel,
        time_to_collision,
        drac,
        time_gap,
        time_gap_penalty,
        collided,
        mean_speed,
        min_delay,
        standing_vehicles,
        DesiredVelocity(),
    )
}
