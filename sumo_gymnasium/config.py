"""How a scenario is simulated and controlled: `SumoConfig` and the times of its signals."""

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args

import numpy as np

from sumo_gymnasium.names import unknown

MOST = 1e9  # s; SUMO counts milliseconds in 64 bits
SHORTEST = 0.001  # s; SUMO's own unit of time
LONGEST_INTERGREEN = 600.0  # s

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
    "sumocfg_file": "scenario='their.sumocfg'",
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
    if abs(count * step_length - seconds) > 1e-6 or (count == 0 and seconds > 0):
        raise ValueError(
            f"{what}={seconds:g} s is no multiple of the step length {step_length:g} s; "
            f"choose for example {max(count, 1) * step_length:g}"
        )
    return count


def steps_up(seconds: float, step_length: float) -> int:
    """The least count of simulation steps that takes `seconds` or longer.

    Raises:
        ValueError: `seconds` is no number of seconds.
    """
    time("duration", seconds)
    return math.ceil(round(seconds / step_length, 6))


def time(name: str, value: object, *, least: float = 0.0, most: float = MOST, otherwise: str = "") -> float:
    """`value` as seconds from `least` to `most`.

    Raises:
        ValueError: it is something else.
    """
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    seconds = float(value) if number else math.nan  # type: ignore[arg-type]  # it is a number
    if not least <= seconds <= most:
        raise ValueError(f"{name}={value!r}: expected seconds, {least:g} to {most:g}{otherwise}")
    return seconds


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
        set_field = object.__setattr__
        set_field(self, "min_green", time("min_green", self.min_green))
        for name in ("yellow", "all_red"):
            set_field(self, name, time(name, getattr(self, name), most=LONGEST_INTERGREEN))
        if self.max_green is not None:
            least = max(self.min_green, SHORTEST)
            set_field(self, "max_green", time("max_green", self.max_green, least=least, otherwise=", or None"))


@dataclass(frozen=True, kw_only=True)
class SumoConfig:
    """Everything about the simulation that is neither scenario nor agent. Times in seconds.

    Attributes:
        decision_interval: simulated time of one `step()` of the env.
        min_green: see `SignalTiming`.
        max_green: see `SignalTiming`.
        yellow: see `SignalTiming`.
        all_red: see `SignalTiming`.
        signal_timing: where a signal has other times: `{"its id": {"min_green": 7, "yellow": 4}}`; None: nowhere.
        step_length: one simulation step; None: as the scenario says.
        waiting_time_memory: over how long SUMO adds up a vehicle's waiting time.
        time_to_teleport: a vehicle that has waited this long jumps on; None: never.
        collision_action: SUMO's; "warn" leaves both vehicles where they are.
        tracked: variables of vehicles by TraCI's names ("VAR_TAU", …) that are kept besides the usual ones.
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
    signal_timing: Mapping[str, Mapping[str, float | None]] | None = None
    step_length: float | None = None
    waiting_time_memory: float = 1000.0
    time_to_teleport: float | None = None
    collision_action: Literal["none", "warn", "teleport", "remove"] = "warn"
    tracked: tuple[str, ...] = ()
    emissions: bool = False
    sumo_options: tuple[str, ...] = ()
    output_dir: str | None = None
    backend: BackendName = "libsumo"
    gui: bool = False
    host: Host = "auto"
    step_timeout: float | None = None

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        for name in ("decision_interval", "waiting_time_memory"):
            set_field(self, name, time(name, getattr(self, name), least=SHORTEST))
        for name in ("step_length", "time_to_teleport", "step_timeout"):
            value = getattr(self, name)
            if value is not None:
                set_field(self, name, time(name, value, least=SHORTEST, otherwise=", or None"))
        timing = self.timing  # checks its own fields
        for name in ("min_green", "max_green", "yellow", "all_red"):
            set_field(self, name, getattr(timing, name))
        if self.signal_timing is not None:
            set_field(self, "signal_timing", _timings(self.signal_timing))
        for signal in self.signal_timing or ():
            self.timing_of(signal)  # checks its own fields
        self._one_of("host", get_args(Host))
        self._one_of("backend", get_args(BackendName))
        self._one_of("collision_action", ("none", "warn", "teleport", "remove"))
        if isinstance(self.sumo_options, str) or not isinstance(self.sumo_options, Iterable):
            raise TypeError(f"sumo_options={self.sumo_options!r}: expected a sequence, e.g. ('--scale', '2')")
        set_field(self, "sumo_options", tuple(map(str, self.sumo_options)))
        if isinstance(self.tracked, str) or not isinstance(self.tracked, Iterable):
            raise TypeError(f"tracked={self.tracked!r}: expected a sequence, e.g. ('VAR_TAU', 'VAR_SIGNALS')")
        set_field(self, "tracked", tuple(map(str, self.tracked)))
        if self.output_dir is not None:
            if not self.output_dir:
                raise ValueError("output_dir='': expected a folder, or None")
            set_field(self, "output_dir", os.path.abspath(self.output_dir))
        if self.gui:
            set_field(self, "backend", "traci")

    @property
    def timing(self) -> SignalTiming:
        """The times that every switch of a signal keeps."""
        return SignalTiming(
            min_green=self.min_green, max_green=self.max_green, yellow=self.yellow, all_red=self.all_red
        )

    def timing_of(self, signal: str) -> SignalTiming:
        """The times of one signal."""
        own = (self.signal_timing or {}).get(signal)
        return replace(self.timing, **own) if own else self.timing  # type: ignore[arg-type]  # SignalTiming checks

    def check(self, step_length: float) -> None:
        """Make sure that every time is a whole number of simulation steps.

        Raises:
            ValueError: one is not.
        """
        steps(self.decision_interval, step_length, "decision_interval")
        for timing in (self.timing, *map(self.timing_of, self.signal_timing or ())):
            for name, value in asdict(timing).items():
                if value is not None:
                    steps(value, step_length, name)

    @classmethod
    def of(cls, settings: Mapping[str, Any], others: Iterable[str] = ()) -> "SumoConfig":
        """From keyword arguments of an env, which has `others` besides.

        Raises:
            TypeError: an argument that there is not; sumo-rl's spellings are answered with ours.
        """
        known = dict.fromkeys([*others, *(field.name for field in fields(cls))])
        for name in settings:
            if name in RENAMED:
                raise TypeError(f"{name!r} is sumo-rl's; here it is: {RENAMED[name]}")
            if name not in known:
                raise TypeError(unknown("argument", name, known))
        return cls(**settings)

    def _one_of(self, name: str, values: tuple[str, ...]) -> None:
        if getattr(self, name) not in values:
            raise ValueError(unknown(name, str(getattr(self, name)), dict.fromkeys(values)))


def _timings(given: object) -> dict[str, dict[str, Any]]:
    known = dict.fromkeys(each.name for each in fields(SignalTiming))
    if not isinstance(given, Mapping) or not all(isinstance(times, Mapping) for times in given.values()):
        raise TypeError(f'signal_timing={given!r}: expected a mapping like {{"signal id": {{"min_green": 7}}}}')
    for times in given.values():
        for name in times:
            if name not in known:
                raise TypeError(unknown("time in signal_timing", name, known))
    return {str(signal): dict(times) for signal, times in given.items()}
