"""Metrics of signals, over the lanes that end at them."""

from collections.abc import Iterator

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.network import Occupied

SPACE = 7.5  # m that a standing car takes, its gap included: 5 m and SUMO's default minGap of 2.5 m


def queue_length(kernel: Kernel, signal: str) -> float:
    """Vehicles slower than 0.1 m/s on the incoming lanes."""
    return sum(kernel.network.queue_length(lane) for _, lane, _ in _incoming(kernel, signal))


def pressure(kernel: Kernel, signal: str) -> float:
    """Vehicles on the lanes towards `signal`, less those on the lanes away from it (Varaiya 2013)."""
    outgoing = kernel.network.occupied(kernel.traffic_light.outgoing_lanes(signal))
    return sum(len(lane.vehicles) for lane in _incoming(kernel, signal)) - sum(len(lane.vehicles) for lane in outgoing)


def link_pressure(kernel: Kernel, signal: str) -> float:
    """Over all links, how full the lane before it is less how full the lane behind it is.

    Full (1) is a vehicle every 7.5 m. This is PressLight's pressure (Wei et al. 2019, equations 1 and 2) without the
    absolute value: a lane weighs as much as it has links, and a short one more than a long one.
    """
    outgoing = kernel.network.occupied(kernel.traffic_light.outgoing_lanes(signal))
    before = {row.lane: _fullness(kernel, row) for row in _incoming(kernel, signal)}
    behind = {row.lane: _fullness(kernel, row) for row in outgoing}
    links = (link for link in kernel.traffic_light.links(signal) if not link.crossing)
    return sum((before.get(link.origin, 0.0) - behind.get(link.target, 0.0) for link in links), 0.0)


def accumulated_waiting_time(kernel: Kernel, signal: str) -> float:
    """Waiting of the vehicles on the incoming lanes since they came onto their edge, s."""
    lanes, waited = kernel.network.lanes, kernel.vehicle.waiting_time_on_edge
    return sum([waited(vehicles, lanes[lane].edge) for _, lane, vehicles in _incoming(kernel, signal)], 0.0)


def waiting_time(kernel: Kernel, signal: str) -> float:
    """Time since each vehicle on the incoming lanes last drove at least 0.1 m/s, added up, s."""
    return sum((kernel.network.waiting_time(lane) for _, lane, _ in _incoming(kernel, signal)), 0.0)


def first_wait(kernel: Kernel, signal: str) -> float:
    """Waiting time of the first vehicle of each incoming lane, added up, s (Chu et al. 2019, MA2C's "wait")."""
    return sum((kernel.vehicle.waiting_time(vehicles[-1]) for _, _, vehicles in _incoming(kernel, signal)), 0.0)


def longest_wait(kernel: Kernel, signal: str) -> float:
    """The longest waiting time of a vehicle on the incoming lanes, s; 0 without vehicles."""
    return max(map(kernel.vehicle.waiting_time, _vehicles(kernel, signal)), default=0.0)


def relative_speed(kernel: Kernel, signal: str) -> float:
    """Mean speed over the speed limit on the incoming lanes, weighted by vehicles; 1 without vehicles."""
    network = kernel.network
    count, total = 0, 0.0
    for _, lane, vehicles in _incoming(kernel, signal):
        count += len(vehicles)
        total += len(vehicles) * (network.mean_speed(lane) or 0.0) / network.speed_limit(lane)
    return total / count if count else 1.0


def co2(kernel: Kernel, signal: str) -> float:
    """CO₂ that the vehicles on the incoming lanes emit in this step, g/s."""
    return sum((kernel.network.carbon_dioxide(lane) for _, lane, _ in _incoming(kernel, signal)), 0.0)


def time_loss(kernel: Kernel, signal: str) -> float:
    """Time lost on the incoming lanes since the episode began, s: by how much SUMO's timeLoss grew between readings.

    A vehicle counts from its first reading there to its last; so `Decrease("time_loss")` is what a decision cost.
    """
    memory = kernel.memory(time_loss, signal)
    known: dict[str, float] = memory.get("known", {})
    now = {vehicle: kernel.vehicle.time_loss(vehicle) for vehicle in _vehicles(kernel, signal)}
    grown = sum(loss - known.get(vehicle, loss) for vehicle, loss in now.items())
    total: float = memory.get("total", 0.0) + grown
    memory.update(known=now, total=total)
    return total


def vehicles_passed(kernel: Kernel, signal: str) -> float:
    """Vehicles that have left the incoming lanes since the episode began, by any way.

    A vehicle counts if a reading met it there and a later one does not; `Decrease("vehicles_passed", -1)` is the
    throughput of a decision.
    """
    memory = kernel.memory(vehicles_passed, signal)
    now = frozenset(_vehicles(kernel, signal))
    total: int = memory.get("total", 0) + len(memory.get("known", now) - now)
    memory.update(known=now, total=total)
    return total


def _incoming(kernel: Kernel, signal: str) -> list[Occupied]:
    return kernel.network.occupied(kernel.traffic_light.incoming_lanes(signal))


def _vehicles(kernel: Kernel, signal: str) -> Iterator[str]:
    return (vehicle for _, _, vehicles in _incoming(kernel, signal) for vehicle in vehicles)


def _fullness(kernel: Kernel, row: Occupied) -> float:
    return len(row.vehicles) / max(kernel.network.length(row.lane) / SPACE, 1.0)
