"""MOBIL: change lanes where all who are concerned accelerate more, and nobody must brake hard."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from sumo_gymnasium.actions.lane_change import LEFT, RIGHT, has_lane
from sumo_gymnasium.controllers.ahead import ahead
from sumo_gymnasium.controllers.idm import Idm
from sumo_gymnasium.kernels.kernel import Kernel


class CarFollowingModel(Protocol):
    """A formula that says how a vehicle would accelerate."""

    def acceleration(self, speed: float, leader_speed: float, gap: float, /) -> float:
        """m/s²; speeds in m/s, gap in m (inf: nobody ahead)."""


@dataclass(frozen=True)
class Mobil:
    """Lanes by M. Treiber's and A. Kesting's MOBIL, symmetric; the action is `LaneChange`'s: 0 right, 1 keep, 2 left.

    A change is safe if the new follower's acceleration is above −b_safe after it, and worth it if the own gain and
    `politeness` times those of the old and the new follower are above the threshold; of two the better. A. Kesting,
    M. Treiber, D. Helbing, General lane-changing model MOBIL for car-following models, Transportation Research Record
    1999 (2007), 86–94, with the threshold and the deceleration that it takes.

    Attributes:
        politeness: p, 0 for egoists, 1 for those to whom others count as much as they do themselves.
        threshold: m/s².
        safe_deceleration: b_safe, m/s².
        model: how all are thought to accelerate.
        action: what the env must be made with.
    """

    action: ClassVar[str] = "lane_change"

    politeness: float = 0.5
    threshold: float = 0.1
    safe_deceleration: float = 4.0
    model: CarFollowingModel = field(default_factory=Idm)

    def __post_init__(self) -> None:
        if not (self.safe_deceleration > 0 and self.threshold >= 0):
            raise ValueError(
                f"safe_deceleration={self.safe_deceleration!r}, threshold={self.threshold!r}: expected a deceleration "
                "above 0 and a threshold of at least 0, in m/s²"
            )

    def __call__(self, kernel: Kernel, vehicle: str) -> int:
        """0 right, 1 keep, 2 left."""
        gains = {
            direction: self.gain(kernel, vehicle, direction)
            for direction in (LEFT, RIGHT)
            if has_lane(kernel, vehicle, direction)
        }
        best = max(gains, key=lambda direction: gains[direction], default=0)
        return best + 1 if best and gains[best] > self.threshold else 1

    def gain(self, kernel: Kernel, vehicle: str, direction: int) -> float:
        """What a change is worth, m/s²; −inf if it is not safe."""
        vehicles = kernel.vehicle
        side = "left" if direction == LEFT else "right"
        leader, follower = getattr(vehicles, f"{side}_leader")(vehicle), getattr(vehicles, f"{side}_follower")(vehicle)
        if any(neighbour is not None and neighbour.gap <= 0 for neighbour in (leader, follower)):
            return -math.inf
        own = self._follow(kernel, vehicle, leader) - self.model.acceleration(*ahead(kernel, vehicle))
        if follower is None:
            return own + self.politeness * self._gain_behind(kernel, vehicle)
        after = self._behind(kernel, follower.id, vehicle, follower.gap)
        if after <= -self.safe_deceleration:
            return -math.inf
        before = self._between(kernel, follower, leader, vehicle)
        return own + self.politeness * (after - before + self._gain_behind(kernel, vehicle))

    def _gain_behind(self, kernel: Kernel, vehicle: str) -> float:
        """What the follower on its present lane gains when it goes, m/s²."""
        follower, leader = kernel.vehicle.follower(vehicle), kernel.vehicle.leader(vehicle)
        if follower is None:
            return 0.0
        after = self._between(kernel, follower, leader, vehicle)
        return after - self._behind(kernel, follower.id, vehicle, follower.gap)

    def _between(self, kernel: Kernel, follower: Any, leader: Any, vehicle: str) -> float:
        """The acceleration of `follower` behind `leader`, with `vehicle` not between them."""
        if leader is None:
            return self._follow(kernel, follower.id, None)
        gap = follower.gap + kernel.vehicle.length(vehicle) + leader.gap
        return self._behind(kernel, follower.id, leader.id, gap)

    def _follow(self, kernel: Kernel, vehicle: str, leader: Any) -> float:
        """Its acceleration behind `leader`; None for nobody."""
        speed = kernel.vehicle.speed(vehicle)
        if leader is None:
            return self.model.acceleration(speed, speed, math.inf)
        return self._behind(kernel, vehicle, leader.id, leader.gap)

    def _behind(self, kernel: Kernel, vehicle: str, leader: str, gap: float) -> float:
        return self.model.acceleration(kernel.vehicle.speed(vehicle), kernel.vehicle.speed(leader), gap)
