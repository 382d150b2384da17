"""How a controller picks one of several phases, and what it knows of each."""

import math
from collections.abc import Mapping, Sequence
from itertools import takewhile

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.net import Link
from sumo_gymnasium.signals.program import GREEN


def legal_phases(kernel: Kernel, signal: str) -> list[int]:
    """The phases that would be shown at once; at least one."""
    return [phase for phase, legal in enumerate(kernel.traffic_light.legal(signal)) if legal]


def best(kernel: Kernel, signal: str, scores: Sequence[float]) -> int:
    """The legal phase of the highest score; of equals the present one, else the first."""
    present = kernel.traffic_light.phase(signal)
    return max(legal_phases(kernel, signal), key=lambda phase: (scores[phase], phase == present, -phase))


def green_links(kernel: Kernel, signal: str) -> tuple[tuple[Link, ...], ...]:
    """For each phase its links for vehicles that are green (G or g), each once."""
    signals = kernel.traffic_light
    incoming = signals.incoming_lanes(signal)
    links = [link for link in signals.links(signal) if not link.crossing and link.origin in incoming]
    return tuple(tuple(link for link in links if state[link.index] in GREEN) for state in signals.phases(signal))


def green_lanes(kernel: Kernel, signal: str) -> tuple[tuple[str, ...], ...]:
    """For each phase the incoming lanes that have a green link, each once, in order of the links."""
    return tuple(tuple(dict.fromkeys(link.origin for link in links)) for links in green_links(kernel, signal))


def counts(kernel: Kernel, lanes: tuple[str, ...]) -> Mapping[str, int]:
    """How many vehicles are on each of `lanes`; those without any are left out."""
    return {lane: len(vehicles) for _, lane, vehicles in kernel.network.occupied(lanes)}


def approach(kernel: Kernel, lane: str, reach: float) -> tuple[str, ...]:
    """`lane` and, where it is shorter than `reach` (m), those before it down to there, but none behind another signal.

    Networks from maps have incoming lanes of a few metres, whose queue stands on the lanes before.
    """
    network, signals = kernel.network, kernel.traffic_light
    if network.length(lane) >= reach:
        return (lane,)
    signalled = {end for signal in signals.ids for end in signals.incoming_lanes(signal)}
    found, open_ends = [lane], [(lane, reach - network.length(lane))]
    while open_ends:
        behind, left = open_ends.pop()
        for before in network.previous_lanes(behind) if left > 0 else ():
            if before not in found and before not in signalled:
                found.append(before)
                open_ends.append((before, left - network.length(before)))
    return tuple(found)


def near_counts(kernel: Kernel, lanes: tuple[str, ...], reach: float) -> Mapping[str, int]:
    """How many vehicles are within `reach` m of the end of each of `lanes`."""
    found = {}
    for _, lane, vehicles in kernel.network.occupied(lanes):
        begin, count = kernel.network.length(lane) - reach, len(vehicles)
        if begin > 0:
            far = (kernel.vehicle.lane_position(vehicle) < begin for vehicle in vehicles)  # the first come last
            count -= sum(takewhile(bool, far))
        found[lane] = count
    return found


def positive(name: str, value: float, unit: str) -> None:
    """Check a parameter of a controller.

    Raises:
        ValueError: it is not above 0.
    """
    if not 0 < value < math.inf:
        raise ValueError(f"{name}={value!r}: expected a number above 0, in {unit}")
