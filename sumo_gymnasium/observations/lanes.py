"""Observations of signals, lane by lane. Lanes are in the order of the signal's links."""

from dataclasses import dataclass

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.signals.program import GREEN


@dataclass(frozen=True)
class Phase:
    """The phase that shows or is switched to (one-hot), then 1 if it has shown for min green: Box(0, 1, (n + 1,))."""

    def space(self, kernel: Kernel, signal: str) -> spaces.Box:
        """All values are 0 to 1."""
        return spaces.Box(0.0, 1.0, (len(kernel.traffic_light.phases(signal)) + 1,), np.float32)

    def __call__(self, kernel: Kernel, signal: str) -> NDArray[np.float32]:
        """The values now."""
        signals = kernel.traffic_light
        phases = len(signals.phases(signal))
        values = np.zeros(phases + 1, dtype=np.float32)
        if phases:
            values[signals.phase(signal)] = 1.0
        values[phases] = signals.green_time(signal) >= signals.timing_of(signal).min_green
        return values


@dataclass(frozen=True)
class LaneCounts:
    """Vehicles on each incoming lane: Box(0, inf, (m,)). As PressLight, CoLight and LibSignal see a signal."""

    def space(self, kernel: Kernel, signal: str) -> spaces.Box:
        """How many short vehicles fit on a lane, no file says."""
        return spaces.Box(0.0, np.inf, (len(kernel.traffic_light.incoming_lanes(signal)),), np.float32)

    def __call__(self, kernel: Kernel, signal: str) -> NDArray[np.float32]:
        """The values now."""
        lanes = kernel.traffic_light.incoming_lanes(signal)
        values = np.zeros(len(lanes), dtype=np.float32)
        for place, _, vehicles in kernel.network.occupied(lanes):
            values[place] = len(vehicles)
        return values


@dataclass(frozen=True)
class Drq:
    """Five values for each incoming lane, after RESCO's IDQN (Ault & Sharon 2021): Box(0, inf, (5 m,)).

    Whether a link of the lane is green (G, g) now; approaching vehicles (at least 0.1 m/s); the sum of the waiting
    times, s; vehicles slower than 0.1 m/s; the sum of the speeds, m/s. RESCO's first value is 1 for the lane whose
    number equals the phase's; here it says what it is meant to.

    Attributes:
        vehicles: vehicles, waiting times and speeds are divided by this (RESCO's drq_norm: 28).
        speed: speeds are divided by this as well, m/s (RESCO's drq_norm: 20).
    """

    vehicles: float = 1.0
    speed: float = 1.0

    def __post_init__(self) -> None:
        if not (self.vehicles > 0 and self.speed > 0):
            raise ValueError(f"{self!r}: expected positive numbers to divide by")

    def space(self, kernel: Kernel, signal: str) -> spaces.Box:
        """Green is 0 or 1, the others have no upper bound."""
        lanes = len(kernel.traffic_light.incoming_lanes(signal))
        high = np.tile(np.array([1.0, np.inf, np.inf, np.inf, np.inf], np.float32), lanes)
        return spaces.Box(np.zeros_like(high), high, dtype=np.float32)

    def __call__(self, kernel: Kernel, signal: str) -> NDArray[np.float32]:
        """The values now."""
        network, lanes = kernel.network, kernel.traffic_light.incoming_lanes(signal)
        green = green_lanes(kernel, signal)
        values = np.zeros((len(lanes), 5), dtype=np.float32)
        values[:, 0] = [lane in green for lane in lanes]
        for place, lane, vehicles in network.occupied(lanes):
            count, queue = len(vehicles), network.queue_length(lane)
            speeds = count * (network.mean_speed(lane) or 0.0) / self.speed
            values[place, 1:] = max(count - queue, 0), network.waiting_time(lane), queue, speeds
        values[:, 1:] /= self.vehicles
        return values.ravel()


def green_lanes(kernel: Kernel, signal: str) -> frozenset[str]:
    """The lanes from which at least one link is green (G, g) now."""
    state, links = kernel.traffic_light.state(signal), kernel.traffic_light.links(signal)
    return frozenset(link.origin for link in links if state[link.index] in GREEN)
