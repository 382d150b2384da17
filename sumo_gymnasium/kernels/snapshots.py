"""What is read of vehicles: once a simulation step, and kept of those who were asked for when they have gone."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sumo_gymnasium.backends import Backend
from sumo_gymnasium.errors import NotOnRoad, NotRunning
from sumo_gymnasium.kernels.simulation import SimulationKernel
from sumo_gymnasium.kernels.variables import VARIABLES
from sumo_gymnasium.names import unknown

# What is kept, each step, of the vehicles that `keep` names; besides it, all that was ever asked for.
KEPT = (
    *("getSpeed", "getAcceleration", "getSpeedWithoutTraCI", "getMaxSpeed"),
    *("getLaneID", "getLaneIndex", "getLanePosition", "getRoadID", "getRoute", "getRouteIndex"),
    *("getPosition", "getAngle", "getDistance", "getWaitingTime", "getAccumulatedWaitingTime", "getTimeLoss"),
    *("getFuelConsumption", "getCO2Emission"),
)
FIXED = ("getLength", "getWidth", "getMinGap", "getTypeID", "getDepartDelay")  # read when it is first kept


class Neighbour(NamedTuple):
    """Another vehicle, and the free metres between the two, bumper to bumper; below 0 where they are side by side."""

    id: str
    gap: float


class Snapshots:
    """What SUMO says of single vehicles, in SI units.

    A vehicle that is not on the road is a `NotOnRoad` error, unless it is kept: then its last state answers.
    """

    def __init__(self, simulation: SimulationKernel, tracked: Sequence[str] = ()) -> None:
        """`tracked`: names of TraCI's variables that are kept too.

        Raises:
            ValueError: there is no such variable.
        """
        self._simulation = simulation
        self._always = tuple(dict.fromkeys([*KEPT, *map(getter_of, tracked)]))
        self._backend: Backend | None = None
        self._clear()

    def _clear(self) -> None:
        self._kept_getters: tuple[tuple[str, Callable[[str], Any]], ...] = ()
        self._columns: dict[str, dict[str, Any]] = {}
        self._asked: dict[str, Callable[[str], Any]] = {}
        self._kept: dict[str, dict[str, Any]] = {}
        self._fixed: dict[str, dict[str, Any]] = {}
        self._frozen: set[str] = set()
        self._echoes: dict[str, dict[str, Any]] = {}
        self._on_road: dict[str, None] | None = None

    def start(self, backend: Backend) -> None:
        """A new episode begins in `backend`."""
        self._clear()
        self._backend = backend
        self._kept_getters = tuple((name, getattr(backend.vehicle, name)) for name in self._always)

    def stop(self) -> None:
        """The backend is gone."""
        self._backend = None
        self._clear()

    @property
    def step_length(self) -> float:
        """Of the simulation, s."""
        return self._simulation.step_length

    @property
    def ids(self) -> tuple[str, ...]:
        """All vehicles on the road."""
        return tuple(self._here())

    @property
    def loaded(self) -> tuple[str, ...]:
        """All vehicles that SUMO holds: on the road, waiting for insertion, or read ahead."""
        return tuple(self._domain.getLoadedIDList())

    def keep(self, vehicles: Iterable[str]) -> None:
        """From now on keep what is read of `vehicles`, so that it can be read when they have gone.

        Raises:
            NotOnRoad: one is not on the road.
        """
        new = [vehicle for vehicle in dict.fromkeys(vehicles) if vehicle not in self._kept]
        for vehicle in new:
            self._must_be_here(vehicle)
            self._fixed[vehicle] = {name: self._getter(name)(vehicle) for name in FIXED}
        self._take_snapshots(new)

    def _get(self, name: str, vehicle: str) -> Any:
        """What SUMO's getter of that name says."""
        column = self._columns.get(name)
        if column is not None and vehicle in column:
            return column[vehicle]
        return self._once(name, vehicle, self._getter(name))

    def _once(self, name: str, vehicle: str, read: Callable[[str], Any]) -> Any:
        """What `read` says, once a step; of a kept vehicle, what was kept, if it has gone."""
        if name not in self._columns:
            self._columns[name] = {}
            self._asked.setdefault(name, read)
        column = self._columns[name]
        if vehicle not in column:
            column[vehicle] = self._found(name, vehicle, read)
        return column[vehicle]

    def _found(self, name: str, vehicle: str, read: Callable[[str], Any]) -> Any:
        for known in (self._kept.get(vehicle), self._fixed.get(vehicle)):
            if known is not None and name in known:
                return known[name]
        if vehicle in self._echoes and name in self._echoes[vehicle] and vehicle not in self._here():
            return self._echoes[vehicle][name]
        if vehicle not in self._frozen or name.startswith("get"):
            self._must_be_here(vehicle)
        return read(vehicle)

    def _take_snapshots(self, vehicles: Sequence[str]) -> None:
        """Keep all that is read of vehicles on the road as it is now; what follows from several vehicles comes last."""
        for vehicle in vehicles:
            self._kept[vehicle] = {name: read(vehicle) for name, read in self._kept_getters}
        for vehicle in vehicles:
            found, fixed = self._kept[vehicle], self._fixed[vehicle]
            for name, read in [*self._asked.items()]:
                if name not in found and name not in fixed:
                    found[name] = read(vehicle)
        self._echo_others(vehicles)

    def _echo_others(self, vehicles: Sequence[str]) -> None:
        """Remember what was asked of those who are named in what is kept of `vehicles`: they may go, too."""
        asked = [name for name in self._asked if name.startswith("get")]
        for vehicle in vehicles:
            for other in _ids(self._kept[vehicle].values()):
                if other not in self._kept:
                    self._echoes[other] = {name: self._get(name, other) for name in asked}

    def _here(self) -> Mapping[str, None]:
        """The vehicles on the road; SUMO has wild readings, or errors, of all others."""
        if self._on_road is None:
            self._on_road = dict.fromkeys(self._domain.getIDList())
        return self._on_road

    def _must_be_here(self, vehicle: str) -> None:
        if vehicle not in self._here():
            raise NotOnRoad(
                f"vehicle {vehicle!r} is not on the road at t={self._simulation.time:g} s: not inserted yet, or gone; "
                "ask for one of kernel.vehicle.ids, or keep() it while it is there"
            )

    def _getter(self, name: str) -> Callable[[str], Any]:
        found: Callable[[str], Any] = getattr(self._domain, name)
        return found

    @property
    def _domain(self) -> Any:
        return self._running.vehicle

    @property
    def _running(self) -> Backend:
        if self._backend is None:
            raise NotRunning("SUMO is not running; call reset() first")
        return self._backend


def getter_of(variable: str) -> str:
    """How SUMO's getter of one of TraCI's variables is called.

    Raises:
        ValueError: there is no such variable.
    """
    if variable not in VARIABLES:
        raise ValueError(unknown("variable of vehicles", variable, VARIABLES))
    return VARIABLES[variable]


def _ids(values: Iterable[Any]) -> Iterator[str]:
    """The ids of the neighbours among values, and among tuples of them."""
    for value in values:
        if isinstance(value, Neighbour):
            yield value.id
        elif isinstance(value, tuple):
            yield from _ids(value)
