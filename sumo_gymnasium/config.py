"""How a scenario is simulated and controlled: `SumoConfig` and the times of its signals."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

import numpy as np

from sumo_gymnasium.names import unknown

Host = Literal["auto", "inline", "worker"]
BackendName = Literal["libsumo", "traci"]

# what users of sumo-rl write, and what it is called here
RENAMED = {
    "delta_time": "decision_interval",
    "yellow_time": "yellow",
    "enforce_max_green": "max_green (None: no limit)",
    "num_seconds": "end (the simulated second at which the episode ends)",
    "begin_time": "begin",
    "sim_max_time": "end",
    "use_gui": "gui",
    "additional_sumo_cmd": "sumo_options, e.g. ('--max-depart-delay', '300')",
    "max_depart_delay": "sumo_options=('--max-depart-delay', '300')",
    "sumo_warnings": "logging.getLogger('sumo_gymnasium')",
    "net_file": "scenario={'net_file': …, 'route_files': …}",
    "route_file": "scenario={'net_file': …, 'route_files': …}",
    "out_csv_name": "output_dir; the KPIs stand in info['kpis']",
    "sumo_seed": "env.reset(seed=…)",
    "fixed_ts": "action='program'",
    "ts_ids": "signal",
    "reward_fn": "reward",
    "reward_weights": "reward=Weighted({…})",
    "observation_class": "observation",
    "add_system_info": "info['kpis']",
    "add_per_agent_info": "info['metrics']",
    "single_agent": "nothing: this env has one agent",
    "virtual_display": "nothing: no display is needed",
}


def steps(seconds: float, step_length: float, what: str) -> int:
    """`seconds` as a count of simulation steps.

    Raises:
        ValueError: `seconds` is no multiple of `step_length`.
    """
    count = round(seconds / step_length)
    if abs(count * step_length - seconds) > 1e-6:
        raise ValueError(
            f"{what}={seconds:g} s is no multiple of the step length {step_length:g} s; "
            f"choose for example {max(count, 1) * step_length:g}"
        )
    return count


def _is_time(value: object) -> bool:
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    return number and 0 <= float(value) < math.inf  # type: ignore[arg-type]  # it is a number


@dataclass(frozen=True, kw_only=True)
class SignalTiming:
    """The times that every switch of a signal keeps, in seconds at every step length.

    Attributes:
        min_green: a phase shows at least this long before another may be asked for.
        max_green: a phase shows at most this long, then the next one of the program follows; None: as long as asked.
        yellow: what every vehicle link shows between green and red.
        all_red: between the last yellow and the next green, all links that change stay red.
    """

    min_green: float = 5.0
    max_green: float | None = None
    yellow: float = 3.0
    all_red: float = 0.0

    def __post_init__(self) -> None:
        for name in ("min_green", "yellow", "all_red"):
            if not _is_time(getattr(self, name)):
                raise ValueError(f"{name}={getattr(self, name)!r}: expected seconds, 0 or more")
        longest = self.max_green
        if longest is not None and not (_is_time(longest) and longest > 0 and longest >= self.min_green):
            raise ValueError(f"max_green={longest!r}: expected seconds, at least min_green={self.min_green!r}, or None")


@dataclass(frozen=True, kw_only=True)
class SumoConfig:
    """Everything about the simulation that is neither scenario nor agent. Times in seconds.

    Attributes:
        decision_interval: simulated time of one `step()` of the env.
        min_green: see `SignalTiming`.
        max_green: see `SignalTiming`.
        yellow: see `SignalTiming`.
        all_red: see `SignalTiming`.
        step_length: one simulation step; None: as the scenario says.
        waiting_time_memory: over how long SUMO adds up a vehicle's waiting time.
        time_to_teleport: a vehicle that has waited this long jumps on; None: never.
        collision_action: SUMO's; "warn" leaves both vehicles where they are.
        emissions: also measure CO₂ and fuel (a third more CPU).
        sumo_options: further options of SUMO, as on its command line; what this package sets itself is refused.
        output_dir: where SUMO's own output files go, a folder per env and episode; None: nowhere.
        backend: "libsumo" (in this process or a worker), or "traci" (a SUMO process of its own, slower).
        gui: open SUMO's window (needs a display; uses traci).
        host: where the loop runs: "inline" (in this process), "worker" (in one of its own), "auto": inline if it can.
        step_timeout: real seconds after which a stuck worker is killed; None: wait for ever.
    """

    decision_interval: float = 5.0
    min_green: float = 5.0
    max_green: float | None = None
    yellow: float = 3.0
    all_red: float = 0.0
    step_length: float | None = None
    waiting_time_memory: float = 1000.0
    time_to_teleport: float | None = None
    collision_action: Literal["none", "warn", "teleport", "remove"] = "warn"
    emissions: bool = False
    sumo_options: tuple[str, ...] = ()
    output_dir: str | None = None
    backend: BackendName = "libsumo"
    gui: bool = False
    host: Host = "auto"
    step_timeout: float | None = None

    def __post_init__(self) -> None:
        for name in ("decision_interval", "waiting_time_memory"):
            self._positive(name)
        for name in ("step_length", "time_to_teleport", "step_timeout"):
            if getattr(self, name) is not None:
                self._positive(name, ", or None")
        self._one_of("host", get_args(Host))
        self._one_of("backend", get_args(BackendName))
        self._one_of("collision_action", ("none", "warn", "teleport", "remove"))
        if isinstance(self.sumo_options, str):
            raise TypeError(f"sumo_options={self.sumo_options!r}: expected a sequence of strings; use .split()")
        object.__setattr__(self, "sumo_options", tuple(map(str, self.sumo_options)))
        if self.gui:
            object.__setattr__(self, "backend", "traci")
        _ = self.timing  # checks itself

    @property
    def timing(self) -> SignalTiming:
        """The times that every switch of a signal keeps."""
        return SignalTiming(
            min_green=self.min_green, max_green=self.max_green, yellow=self.yellow, all_red=self.all_red
        )

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "SumoConfig":
        """From keyword arguments of an env.

        Raises:
            TypeError: an argument that there is not; sumo-rl's spellings are answered with ours.
        """
        known = {field.name: field for field in fields(cls)}
        for name in settings:
            if name in RENAMED:
                raise TypeError(f"{name!r} is sumo-rl's; here it is: {RENAMED[name]}")
            if name not in known:
                raise TypeError(unknown("argument", name, known))
        return cls(**settings)

    def _positive(self, name: str, otherwise: str = "") -> None:
        value = getattr(self, name)
        if not (_is_time(value) and value > 0):
            raise ValueError(f"{name}={value!r}: expected seconds, more than 0{otherwise}")

    def _one_of(self, name: str, values: tuple[str, ...]) -> None:
        if getattr(self, name) not in values:
            raise ValueError(unknown(name, str(getattr(self, name)), dict.fromkeys(values)))
