"""Metrics of signals, over the lanes that end at them."""

from sumo_gymnasium.kernels.kernel import Kernel


def queue_length(kernel: Kernel, signal: str) -> float:
    """Vehicles slower than 0.1 m/s on the incoming lanes."""
    occupied = kernel.network.occupied(kernel.traffic_light.incoming_lanes(signal))
    return sum(kernel.network.queue_length(lane) for _, lane, _ in occupied)


def pressure(kernel: Kernel, signal: str) -> float:
    """Vehicles on the lanes towards `signal`, less those on the lanes away from it (Varaiya 2013)."""
    incoming = kernel.network.occupied(kernel.traffic_light.incoming_lanes(signal))
    outgoing = kernel.network.occupied(kernel.traffic_light.outgoing_lanes(signal))
    return sum(len(lane.vehicles) for lane in incoming) - sum(len(lane.vehicles) for lane in outgoing)


def accumulated_waiting_time(kernel: Kernel, signal: str) -> float:
    """Waiting of the vehicles on the incoming lanes since they came onto their edge, s."""
    lanes, waited = kernel.network.lanes, kernel.vehicle.waiting_time_on_edge
    occupied = kernel.network.occupied(kernel.traffic_light.incoming_lanes(signal))
    return sum([waited(vehicles, lanes[lane].edge) for _, lane, vehicles in occupied], 0.0)


def relative_speed(kernel: Kernel, signal: str) -> float:
    """Mean speed over the speed limit on the incoming lanes, weighted by vehicles; 1 without vehicles."""
    network = kernel.network
    count, total = 0, 0.0
    for _, lane, vehicles in network.occupied(kernel.traffic_light.incoming_lanes(signal)):
        count += len(vehicles)
        total += len(vehicles) * (network.mean_speed(lane) or 0.0) / network.speed_limit(lane)
    return total / count if count else 1.0
