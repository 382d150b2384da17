"""Who drives ahead of, behind and beside a vehicle: found along its lanes and routes, through junctions, around loops.

SUMO's own getLeader looks a short way ahead only, leaves minGap out, and has absurd gaps at junctions.
"""

from bisect import bisect_right
from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Any, NamedTuple

from sumo_gymnasium.kernels.snapshots import Neighbour
from sumo_gymnasium.kernels.vehicle_reads import VehicleReads

__all__ = ["LaneNeighbours", "Neighbour", "VehicleNeighbours"]

HORIZON = 2000.0  # m; how far ahead and behind is looked
LONGEST = 40.0  # m; of a vehicle, whose back may be on a lane that its front has left


class LaneNeighbours(NamedTuple):
    """The vehicles ahead and behind on one lane."""

    leader: Neighbour | None
    follower: Neighbour | None


class VehicleNeighbours(VehicleReads):
    """Reads of neighbours. Only who is on the same way is one: not those that come from another arm of a junction."""

    def _clear(self) -> None:
        super()._clear()
        self._lanes: dict[str, list[tuple[float, str]]] = {}

    def leader(self, vehicle: str) -> Neighbour | None:
        """The next vehicle on its way, within 2 km; the gap is from its front to the leader's back, m."""
        found: Neighbour | None = self._once("leader", vehicle, self._leader)
        return found

    def follower(self, vehicle: str) -> Neighbour | None:
        """The next vehicle whose way leads to it, within 2 km; the gap is from its back to the follower's front, m."""
        found: Neighbour | None = self._once("follower", vehicle, self._follower)
        return found

    def left_leader(self, vehicle: str) -> Neighbour | None:
        """On the lane to the left, the next whose front is ahead of its own; None also if there is no such lane."""
        return self._beside(vehicle, 1).leader

    def left_follower(self, vehicle: str) -> Neighbour | None:
        """On the lane to the left, the next whose front is behind its own."""
        return self._beside(vehicle, 1).follower

    def right_leader(self, vehicle: str) -> Neighbour | None:
        """On the lane to the right, the next whose front is ahead of its own."""
        return self._beside(vehicle, -1).leader

    def right_follower(self, vehicle: str) -> Neighbour | None:
        """On the lane to the right, the next whose front is behind its own."""
        return self._beside(vehicle, -1).follower

    def lane_neighbours(self, vehicle: str) -> tuple[LaneNeighbours, ...]:
        """For each lane of its edge, from the right, those ahead and behind."""
        found: tuple[LaneNeighbours, ...] = self._once("lane_neighbours", vehicle, self._lane_neighbours)
        return found

    def _leader(self, vehicle: str) -> Neighbour | None:
        return self._ahead(vehicle, self.lane(vehicle))

    def _follower(self, vehicle: str) -> Neighbour | None:
        return self._behind(vehicle, self.lane(vehicle))

    def _lane_neighbours(self, vehicle: str) -> tuple[LaneNeighbours, ...]:
        return tuple(self._on_lane(vehicle, lane) for lane in self._ways.net.edges[self.edge(vehicle)].lanes)

    def _beside(self, vehicle: str, direction: int) -> LaneNeighbours:
        lanes = self._ways.net.edges[self.edge(vehicle)].lanes
        place = self.lane_index(vehicle) + direction
        if not 0 <= place < len(lanes):
            return LaneNeighbours(None, None)
        found: LaneNeighbours = self._once(
            "left" if direction > 0 else "right", vehicle, self._left if direction > 0 else self._right
        )
        return found

    def _left(self, vehicle: str) -> LaneNeighbours:
        return self._on_side(vehicle, 1)

    def _right(self, vehicle: str) -> LaneNeighbours:
        return self._on_side(vehicle, -1)

    def _on_side(self, vehicle: str, direction: int) -> LaneNeighbours:
        lanes = self._ways.net.edges[self.edge(vehicle)].lanes
        place = self.lane_index(vehicle) + direction
        return self._on_lane(vehicle, lanes[place]) if 0 <= place < len(lanes) else LaneNeighbours(None, None)

    def _on_lane(self, vehicle: str, lane: str) -> LaneNeighbours:
        if not self._ways.net.lanes[lane].vehicles:
            return LaneNeighbours(None, None)
        return LaneNeighbours(self._ahead(vehicle, lane), self._behind(vehicle, lane))

    def _ahead(self, vehicle: str, lane: str) -> Neighbour | None:
        """The first on the way from `lane`, beside or ahead of the vehicle's front."""
        front = self.lane_position(vehicle)
        for stretch in self._ways.ahead(self._way(vehicle), self.route_index(vehicle), lane):
            if stretch.begin > HORIZON:
                return None
            after = (front, vehicle) if not stretch.begin else (float("-inf"), "")
            backs = ((back, other) for back, other in self._backs(stretch.lane, after) if other != vehicle)
            back, other = min(backs, default=(0.0, None))
            if other is not None:
                return Neighbour(other, stretch.begin + back - front)
        return None

    def _backs(self, lane: str, after: tuple[float, str]) -> Iterator[tuple[float, str]]:
        """Where backs ahead are, from the begin of `lane`: of the next one there, and of those beyond its end."""
        on = self._on(lane)
        place = bisect_right(on, after)
        if place < len(on):
            position, other = on[place]
            yield position - self.length(other), other
        length = self._ways.net.lanes[lane].length
        for reach, other in self._reaching(lane, lane, 0.0):
            yield length - reach, other

    def _reaching(self, lane: str, last: str, beyond: float) -> Iterator[tuple[float, str]]:
        """The vehicles in front of `lane`'s end that have come over it and are not off it yet, and by how much, m."""
        for successor in self._ways.graph.following.get(last, ()):
            for position, other in self._on(successor.lane):
                reach = self.length(other) - position - beyond
                if reach > 0 and self._came_over(other, lane):
                    yield reach, other
            further = beyond + self._ways.net.lanes[successor.lane].length
            if further < LONGEST:
                yield from self._reaching(lane, successor.lane, further)

    def _came_over(self, vehicle: str, lane: str) -> bool:
        index, route = self.route_index(vehicle), self.route(vehicle)
        return index == 0 or self._ways.origin(lane) in route[max(0, index - 2) : index + 1]

    def _behind(self, vehicle: str, lane: str) -> Neighbour | None:
        """The first on `lane`, behind the vehicle's front, or on a way that leads there."""
        front = self.lane_position(vehicle)
        back = front - self.length(vehicle)
        on = self._on(lane)
        place = bisect_right(on, (front, vehicle)) - 1
        while place >= 0 and on[place][1] == vehicle:
            place -= 1
        if place >= 0:
            return Neighbour(on[place][1], back - on[place][0])
        return self._coming(vehicle, lane, back)

    def _coming(self, vehicle: str, lane: str, back: float) -> Neighbour | None:
        """The nearest whose way leads onto `lane`: a search backwards, the nearest lanes first (Dijkstra's)."""
        graph, lanes = self._ways.graph, self._ways.net.lanes
        best: Neighbour | None = None
        coming, seen = [(back, lane)], set[str]()
        while coming:
            metres, ahead = heappop(coming)  # from the begin of `ahead` to the vehicle's back
            if metres > HORIZON or (best is not None and metres >= best.gap):
                break
            for before in graph.preceding.get(ahead, ()):
                if before in seen:
                    continue
                seen.add(before)
                for position, other in reversed(self._on(before)):
                    gap = metres + lanes[before].length - position
                    if other != vehicle and self._leads_to(other, lane, gap):
                        best = min(best or Neighbour(other, gap), Neighbour(other, gap), key=lambda one: one.gap)
                        break
                heappush(coming, (metres + lanes[before].length, before))
        return best

    def _leads_to(self, vehicle: str, lane: str, within: float) -> bool:
        """Whether the way of `vehicle` leads over `lane`, not much further ahead than `within` m."""
        start = self.lane(vehicle)
        for place, stretch in enumerate(self._ways.ahead(self._way(vehicle), self.route_index(vehicle), start)):
            if place and stretch.lane == lane:
                return True
            if stretch.begin - self.lane_position(vehicle) > within + LONGEST:
                return False
        return False

    def _on(self, lane: str) -> list[tuple[float, str]]:
        """The vehicles on `lane` and where their fronts are, the last first; read once a step."""
        found: list[tuple[float, str]] | None = self._lanes.get(lane)
        if found is None:
            vehicles: Any = self._running.lane.getLastStepVehicleIDs(lane)
            here = self._here() if vehicles else {}
            on = ((self._position_now(vehicle), vehicle) for vehicle in vehicles if vehicle in here)
            found = self._lanes[lane] = sorted(on)
        return found

    def _position_now(self, vehicle: str) -> float:
        """Of a vehicle on the road, also where what is kept of it is older."""
        if vehicle in self._frozen:
            return float(self._domain.getLanePosition(vehicle))
        return self.lane_position(vehicle)
