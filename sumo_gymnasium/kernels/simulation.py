"""The simulation kernel: time, events of the last step, parameters and the window."""

from typing import Any

from sumo_gymnasium.backends import Backend
from sumo_gymnasium.config import steps
from sumo_gymnasium.errors import NotRunning


class SimulationKernel:
    """Time and events. Steps are counted in integers; seconds are derived from them.

    Attributes:
        begin: first simulated second.
        end: the second at which the episode is truncated.
        step_length: s.
        step: how many simulation steps this episode has made.
        time: simulated time, s.
    """

    def __init__(self, begin: float, end: float, step_length: float) -> None:
        self.begin, self.end, self.step_length = begin, end, step_length
        self.last_step = steps(end - begin, step_length, "end - begin")
        self.step, self.time = 0, begin
        self._backend: Backend | None = None

    def start(self, backend: Backend) -> None:
        """A new episode begins in `backend`."""
        self._backend = backend
        self.step, self.time = 0, self.begin

    def stop(self) -> None:
        """The backend is gone."""
        self._backend = None

    def update(self, count: int) -> None:
        """So many steps were made."""
        self.time = self.time_in(count)
        self.step += count

    def time_in(self, count: int) -> float:
        """The simulated time in `count` steps from now, s."""
        return round(self.begin + (self.step + count) * self.step_length, 3)  # SUMO keeps milliseconds

    @property
    def running(self) -> bool:
        """Whether SUMO runs."""
        return self._backend is not None

    @property
    def over(self) -> bool:
        """Whether the scenario's end is reached."""
        return self.step >= self.last_step

    @property
    def expected(self) -> int:
        """Vehicles and people that are on the way or still to come."""
        return int(self._running.simulation.getMinExpectedNumber())

    @property
    def departed(self) -> tuple[str, ...]:
        """Vehicles that were inserted in the last step."""
        return tuple(self._running.simulation.getDepartedIDList())

    @property
    def arrived(self) -> tuple[str, ...]:
        """Vehicles that reached their destination in the last step."""
        return tuple(self._running.simulation.getArrivedIDList())

    @property
    def teleported(self) -> tuple[str, ...]:
        """Vehicles that began to teleport in the last step."""
        return tuple(self._running.simulation.getStartingTeleportIDList())

    @property
    def collided(self) -> tuple[str, ...]:
        """Vehicles that were in a collision in the last step, each once."""
        collisions = self._running.simulation.getCollisions()
        both = (vehicle for collision in collisions for vehicle in (collision.collider, collision.victim))
        return tuple(dict.fromkeys(both))

    @property
    def pending(self) -> tuple[str, ...]:
        """Vehicles that are due but found no room yet."""
        return tuple(self._running.simulation.getPendingVehicles())

    def parameter(self, key: str, object_id: str = "") -> str:
        """One of SUMO's parameters of the simulation, or of `object_id`; "" where there is none."""
        return str(self._running.simulation.getParameter(object_id, key))

    def zoom(self, percent: float) -> None:
        """Set the window's zoom; 100 shows the whole network."""
        self._window.setZoom("View #0", percent)

    def offset(self, x: float, y: float) -> None:
        """Move the window's centre to a point of the network, m."""
        self._window.setOffset("View #0", x, y)

    def schema(self, name: str) -> None:
        """Choose how the window colours things: "standard", "real world" and so on."""
        self._window.setSchema("View #0", name)

    def screenshot(self, path: str) -> None:
        """Write the window's picture to `path` at the next step."""
        self._window.screenshot("View #0", path)

    @property
    def _running(self) -> Backend:
        if self._backend is None:
            raise NotRunning("SUMO is not running; call reset() first")
        return self._backend

    @property
    def _window(self) -> Any:
        if self._running.gui is None:
            raise ValueError("there is no window; make the env with gui=True")
        return self._running.gui
