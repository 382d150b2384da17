"""What SUMO says of single vehicles, in SI units."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sumo_gymnasium.kernels.snapshots import Snapshots, getter_of
from sumo_gymnasium.kernels.ways import Way, Ways
from sumo_gymnasium.scenarios.lane_graph import read_lane_graph
from sumo_gymnasium.scenarios.net import read_net

COLUMNS = ("position", "speed", "acceleration", "lane", "lane_position", "angle", "length")
WORDS = ("lane", "edge", "type")  # the reads that are texts


class VehicleReads(Snapshots):
    """Reads of vehicles; of one that is not on the road they are a `NotOnRoad` error, unless it is kept."""

    def _clear(self) -> None:
        super()._clear()
        self._episode_ways: Ways | None = None

    def read(self, vehicle: str, variable: str) -> Any:
        """One of TraCI's variables ("VAR_TAU", …) as SUMO has it, in SUMO's units.

        Raises:
            ValueError: there is no such variable.
        """
        return self._get(getter_of(variable), vehicle)

    def columns(self, *names: str) -> dict[str, NDArray[Any]]:
        """One row a vehicle on the road: "ids", and a column for each of the reads of these names.

        Without names: position (two numbers a row), speed, acceleration, lane, lane position, angle and length.
        """
        vehicles = self.ids
        found: dict[str, NDArray[Any]] = {"ids": np.array(vehicles, dtype=np.str_)}
        for name in names or COLUMNS:
            read = getattr(self, name)
            found[name] = np.array([read(vehicle) for vehicle in vehicles], dtype=np.str_ if name in WORDS else None)
        if "position" in found:
            found["position"] = found["position"].reshape(-1, 2)
        return found

    def speed(self, vehicle: str) -> float:
        """m/s."""
        return float(self._get("getSpeed", vehicle))

    def previous_speed(self, vehicle: str) -> float:
        """A simulation step ago, m/s; of a vehicle that has just departed its speed now."""
        return self.speed(vehicle) - self.acceleration(vehicle) * self.step_length

    def acceleration(self, vehicle: str) -> float:
        """What came about in the last simulation step: the change of speed over the step length, m/s²."""
        return float(self._get("getAcceleration", vehicle))

    def speed_without_control(self, vehicle: str) -> float:
        """What SUMO's driver would have driven in the last step, m/s."""
        return float(self._get("getSpeedWithoutTraCI", vehicle))

    def max_speed(self, vehicle: str) -> float:
        """What the vehicle drives at most, m/s."""
        return float(self._get("getMaxSpeed", vehicle))

    def speed_limit(self, vehicle: str) -> float:
        """Of its lane, m/s."""
        return float(self._running.lane.getMaxSpeed(self.lane(vehicle)))

    def lane(self, vehicle: str) -> str:
        """The lane of its front; inside a junction its id begins with ":"."""
        return str(self._get("getLaneID", vehicle))

    def lane_index(self, vehicle: str) -> int:
        """Counted from the right, 0 first (where one drives on the left, from the left)."""
        return int(self._get("getLaneIndex", vehicle))

    def lane_position(self, vehicle: str) -> float:
        """How far its front is from the beginning of its lane, m."""
        return float(self._get("getLanePosition", vehicle))

    def edge(self, vehicle: str) -> str:
        """The edge of its front; inside a junction its id begins with ":"."""
        return str(self._get("getRoadID", vehicle))

    def route(self, vehicle: str) -> tuple[str, ...]:
        """The edges of its route, those behind it too, without those inside junctions."""
        return tuple(self._get("getRoute", vehicle))

    def route_index(self, vehicle: str) -> int:
        """Where on its route it is; inside a junction, the edge before that."""
        return int(self._get("getRouteIndex", vehicle))

    def position(self, vehicle: str) -> tuple[float, float]:
        """Where the middle of its front bumper is, m."""
        x, y = self._get("getPosition", vehicle)
        return x, y

    def angle(self, vehicle: str) -> float:
        """Where it heads: degrees clockwise from north (up)."""
        return float(self._get("getAngle", vehicle))

    def distance(self, vehicle: str) -> float:
        """Driven since departure, m."""
        return float(self._get("getDistance", vehicle))

    def x(self, vehicle: str) -> float:
        """How far along its route it is, through junctions, m.

        Counted from the begin of the route; on a loop from the begin of the edge whose id is the first in the alphabet,
        less than `way_length`.
        """
        index = self.route_index(vehicle)
        return self._ways.x(self._way(vehicle), index, self.lane(vehicle), self.lane_position(vehicle))

    def way_length(self, vehicle: str) -> float:
        """Of its whole route, through junctions, m; of a loop one lap."""
        return self._way(vehicle).length

    def length(self, vehicle: str) -> float:
        """m."""
        return float(self._get("getLength", vehicle))

    def width(self, vehicle: str) -> float:
        """m."""
        return float(self._get("getWidth", vehicle))

    def min_gap(self, vehicle: str) -> float:
        """What its driver leaves free when standing, m."""
        return float(self._get("getMinGap", vehicle))

    def type(self, vehicle: str) -> str:
        """Its vehicle type."""
        return str(self._get("getTypeID", vehicle)).partition("@")[0]  # SUMO makes "type@vehicle" where one is changed

    def depart_delay(self, vehicle: str) -> float:
        """How long it waited for its insertion, s."""
        return float(self._get("getDepartDelay", vehicle))

    def fuel(self, vehicle: str) -> float:
        """What it burns now, g/s."""
        return float(self._get("getFuelConsumption", vehicle)) / 1000  # SUMO says mg/s

    def carbon_dioxide(self, vehicle: str) -> float:
        """What it emits now, g/s."""
        return float(self._get("getCO2Emission", vehicle)) / 1000  # SUMO says mg/s

    def waiting_time(self, vehicle: str) -> float:
        """Since the vehicle last drove at least 0.1 m/s, s."""
        return float(self._get("getWaitingTime", vehicle))

    def accumulated_waiting_time(self, vehicle: str) -> float:
        """All waiting within SUMO's `waiting-time-memory`, s."""
        return float(self._get("getAccumulatedWaitingTime", vehicle))

    def time_loss(self, vehicle: str) -> float:
        """Time lost since departure against driving at the speed that it wishes for, s."""
        return float(self._get("getTimeLoss", vehicle))

    def _way(self, vehicle: str) -> Way:
        return self._ways.way(self._get("getRoute", vehicle))

    @property
    def _ways(self) -> Ways:
        """On the network of this episode, whose lanes may be longer or shorter than those of the scenario's own."""
        if self._episode_ways is None:
            path = str(self._running.simulation.getOption("net-file"))
            self._episode_ways = Ways(read_net(path), read_lane_graph(path))
        return self._episode_ways
