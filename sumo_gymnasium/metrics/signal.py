"""Metrics of signals, over the lanes that end at them."""

from sumo_gymnasium.kernels.kernel import Kernel


def queue_length(kernel: Kernel, signal: str) -> float:
    """Vehicles slower than 0.1 m/s on the incoming lanes."""
    return sum(map(kernel.network.queue_length, kernel.traffic_light.incoming_lanes(signal)))


def pressure(kernel: Kernel, signal: str) -> float:
    """Vehicles on the lanes towards `signal`, less those on the lanes away from it (Varaiya 2013)."""
    incoming = kernel.traffic_light.incoming_lanes(signal)
    outgoing = kernel.traffic_light.outgoing_lanes(signal)
    count = kernel.network.vehicle_count
    return sum(map(count, incoming)) - sum(map(count, outgoing))


def accumulated_waiting_time(kernel: Kernel, signal: str) -> float:
    """Waiting of the vehicles on the incoming lanes since they came onto their edge, s."""
    network, waited = kernel.network, kernel.vehicle.waiting_time_on_edge
    total = 0.0
    for lane in kernel.traffic_light.incoming_lanes(signal):
        vehicles = network.vehicles(lane)
        if vehicles:
            edge = network.lanes[lane].edge
            total += sum(waited(vehicle, edge) for vehicle in vehicles)
    return total


def relative_speed(kernel: Kernel, signal: str) -> float:
    """Mean speed over the speed limit on the incoming lanes, weighted by vehicles; 1 without vehicles."""
    network = kernel.network
    count, total = 0, 0.0
    for lane in kernel.traffic_light.incoming_lanes(signal):
        speed = network.mean_speed(lane)
        if speed is not None:
            count += network.vehicle_count(lane)
            total += network.vehicle_count(lane) * speed / network.speed_limit(lane)
    return total / count if count else 1.0
