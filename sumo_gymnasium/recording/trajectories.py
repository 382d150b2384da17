"""Trajectories: what each vehicle did in each simulation step, written to a file where the simulation runs."""

import csv
import gzip
import io
import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.variables import VARIABLES
from sumo_gymnasium.names import unknown

UNITS: Mapping[str, str] = {
    "time": "s",
    "id": "",
    "type": "",
    "lane": "",
    "edge": "",
    "x": "m",
    "lane_position": "m",
    "position_x": "m",
    "position_y": "m",
    "speed": "m/s",
    "acceleration": "m/s²",
    "leader": "",
    "gap": "m",
}
"""The columns that are always there. `leader` is empty and `gap` NaN where nobody is ahead."""
FURTHER: Mapping[str, str] = {
    "accumulated_waiting_time": "s",
    "angle": "° clockwise from north",
    "applied": "m/s²",
    "carbon_dioxide": "g/s",
    "distance": "m",
    "filtered": "m/s²",
    "fuel": "g/s",
    "lane_index": "from the right, 0 first",
    "length": "m",
    "max_speed": "m/s",
    "requested": "m/s²",
    "speed_limit": "m/s",
    "speed_without_control": "m/s",
    "time_loss": "s",
    "waiting_time": "s",
    "way_length": "m",
}
"""Reads of `kernel.vehicle` that `also` can name."""
WORDS = ("id", "type", "lane", "edge", "leader")
DIGITS = 6  # of floats, after the point
ROWS, ABOUT = ".csv", ".json"
ENDS = (ROWS, ROWS + ".gz")

Columns = Mapping[str, NDArray[Any]]


class Trajectories(NamedTuple):
    """What was recorded in an episode.

    Attributes:
        columns: by name, one row a vehicle and simulation step: texts, and floats of which NaN are absent.
        about: what it is a record of; see docs/recording.md.
    """

    columns: Columns
    about: Mapping[str, Any]

    def where(self, rows: NDArray[np.bool_]) -> "Trajectories":
        """Those rows only."""
        return Trajectories({name: values[rows] for name, values in self.columns.items()}, self.about)


@dataclass(frozen=True)
class Recorder:
    """A hook that writes trajectories: `make(..., hooks=[Recorder("runs")])`; put it last, to see what others did.

    Each episode gets files of its own, "trajectories-0.csv.gz", "trajectories-1.csv.gz" and so on, in whatever process
    its simulation runs, and a .json of the same name. After each step they are complete.

    Attributes:
        folder: where to; it is made where it is missing.
        compress: write .csv.gz; else .csv.
        also: further columns: names of FURTHER, or TraCI's variables ("VAR_TAU") as SUMO has them.
        notes: kept in the .json: what else a reader should know, as JSON has it.
    """

    folder: str | os.PathLike[str]
    compress: bool = True
    also: Sequence[str] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "folder", os.path.abspath(self.folder))
        if Path(self.folder).exists() and not Path(self.folder).is_dir():
            raise ValueError(
                f"folder={str(self.folder)!r} is a file; expected a folder, or a path where one can be made"
            )
        if isinstance(self.also, str):
            raise TypeError(f"also={self.also!r}: expected a sequence, e.g. ('fuel', 'VAR_TAU')")
        set_field(self, "also", tuple(self.also))
        for name in self.also:
            if name not in FURTHER and name not in VARIABLES:
                raise ValueError(unknown("further column", name, {**FURTHER, **VARIABLES}))
        try:
            json.dumps(self.notes)
        except TypeError as error:
            raise ValueError(f"notes={self.notes!r}: {error}; expected what JSON can hold") from error

    def __call__(self, kernel: Kernel) -> None:
        """Write the step that was just made."""
        memory = kernel.memory(self, "")
        if not memory:
            memory["path"] = self._begin(kernel)
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(
            _row(kernel, vehicle, self.also) for vehicle in kernel.vehicle.ids
        )
        self._append(memory["path"], text.getvalue())

    def _begin(self, kernel: Kernel) -> Path:
        """Files for the episode that begins; other envs may write into the same folder."""
        path = _unused(Path(self.folder), ENDS[self.compress])
        about = {**_about(kernel), "units": {**UNITS, **self._further()}, "notes": dict(self.notes)}
        about_path(path).write_text(json.dumps(about, indent=1, ensure_ascii=False), encoding="utf-8")
        self._append(path, ",".join([*UNITS, *self.also]) + "\n")
        return path

    def _append(self, path: Path, text: str) -> None:
        """One member a step: a gzip file may have many, and one whose process was killed is readable up to there."""
        data = text.encode()
        with path.open("ab") as file:
            file.write(gzip.compress(data, compresslevel=5, mtime=0) if self.compress else data)

    def _further(self) -> dict[str, str]:
        return {name: FURTHER.get(name, "as SUMO has it") for name in self.also}


def read_trajectories(path: str | os.PathLike[str]) -> Trajectories:
    """What a `Recorder` wrote.

    Args:
        path: of a .csv or .csv.gz; its .json stands beside it.

    Raises:
        ValueError: it is no such file.
    """
    path = Path(path)
    if not path.name.endswith(ENDS):
        raise ValueError(f"path={str(path)!r}: expected a file {' or '.join(ENDS)} that a Recorder wrote")
    opened: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        names, *rows = list(csv.reader(file)) or [[]]
    if tuple(names[: len(UNITS)]) != tuple(UNITS):
        raise ValueError(f"{path} begins with {names}; expected the columns {', '.join(UNITS)} of a Recorder")
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    found = {name: _column(name, values) for name, values in zip(names, columns, strict=True)}
    return Trajectories(found, json.loads(about_path(path).read_text("utf-8")))


def about_path(path: Path) -> Path:
    """The .json beside a file of trajectories."""
    return path.with_name(path.name.partition(ROWS)[0] + ABOUT)


def _column(name: str, values: Sequence[str]) -> NDArray[Any]:
    if name in WORDS:
        return np.array(values, dtype=np.str_)
    try:
        return np.array([float(value) if value else math.nan for value in values])
    except ValueError:  # some of TraCI's variables are texts
        return np.array(values, dtype=np.str_)


def _row(kernel: Kernel, vehicle: str, also: Sequence[str]) -> list[Any]:
    """The columns of UNITS, then the further ones."""
    vehicles = kernel.vehicle
    leader = vehicles.leader(vehicle)
    words = [vehicle, vehicles.type(vehicle), vehicles.lane(vehicle), vehicles.edge(vehicle)]
    place = [vehicles.x(vehicle), vehicles.lane_position(vehicle), *vehicles.position(vehicle)]
    motion = [vehicles.speed(vehicle), vehicles.acceleration(vehicle)]
    ahead = ["", None] if leader is None else [leader.id, leader.gap]
    further = [_further(kernel, vehicle, name) for name in also]
    return [_short(value) for value in (kernel.simulation.time, *words, *place, *motion, *ahead, *further)]


def _further(kernel: Kernel, vehicle: str, name: str) -> Any:
    if name in VARIABLES:
        return kernel.vehicle.read(vehicle, name)
    return getattr(kernel.vehicle, name)(vehicle)


def _short(value: Any) -> Any:
    return round(value, DIGITS) if isinstance(value, float) else value


def _unused(folder: Path, end: str) -> Path:
    """A new file for rows. Its .json is made first, since only one of several processes can make a file."""
    folder.mkdir(parents=True, exist_ok=True)
    number = len(list(folder.glob(f"trajectories-*{ABOUT}")))
    while True:
        path = folder / f"trajectories-{number}{end}"
        try:
            about_path(path).touch(exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            return path


def _about(kernel: Kernel) -> dict[str, Any]:
    scenario, network = kernel.scenario, kernel.network
    lanes = {
        edge: [lane for lane in found.lanes if network.lanes[lane].vehicles] for edge, found in network.edges.items()
    }
    roads = {edge: own for edge, own in lanes.items() if own and not edge.startswith(":")}
    return {
        "sumo": version("libsumo"),
        "sumo_gymnasium": version("sumo-gymnasium"),
        "seed": kernel._seed,
        "scenario": {
            "name": scenario.name,
            "net_file": scenario.net_file,
            "route_files": list(scenario.route_files),
            "additional_files": list(scenario.additional_files),
            "variation": repr(scenario.variation),
            "begin": scenario.begin,
            "end": scenario.last,
            "step_length": scenario.step_length,
        },
        "config": asdict(kernel.config),
        "edges": {edge: [network.length(own[0]), len(own)] for edge, own in roads.items()},
    }
