"""The shell: `python -m sumo_gymnasium compare …` and `python -m sumo_gymnasium list`."""

import json
import logging
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from gymnasium.error import DependencyNotInstalled

from sumo_gymnasium import plots
from sumo_gymnasium.actions.signal import ACTIONS
from sumo_gymnasium.actions.vehicle import VEHICLE_ACTIONS
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.controllers import CONTROLLERS
from sumo_gymnasium.controllers.vehicles import VEHICLE_CONTROLLERS
from sumo_gymnasium.errors import SumoGymnasiumError
from sumo_gymnasium.evaluation import Comparison, compare
from sumo_gymnasium.metrics import METRICS
from sumo_gymnasium.metrics.vehicle import VEHICLE_METRICS
from sumo_gymnasium.observations.signal import OBSERVATIONS
from sumo_gymnasium.observations.vehicle import VEHICLE_OBSERVATIONS
from sumo_gymnasium.registration import IDS
from sumo_gymnasium.rewards import REWARDS, VEHICLE_REWARDS
from sumo_gymnasium.scenarios.registry import SCENARIOS
from sumo_gymnasium.terminations import TERMINATIONS

NAMES: Mapping[str, Mapping[str, Any]] = {
    "ids": IDS,
    "scenarios": SCENARIOS,
    "observations": OBSERVATIONS,
    "actions": ACTIONS,
    "rewards": REWARDS,
    "metrics": METRICS,
    "controllers": CONTROLLERS,
    "vehicle-observations": VEHICLE_OBSERVATIONS,
    "vehicle-actions": VEHICLE_ACTIONS,
    "vehicle-rewards": VEHICLE_REWARDS,
    "vehicle-metrics": VEHICLE_METRICS,
    "vehicle-controllers": VEHICLE_CONTROLLERS,
    "terminations": TERMINATIONS,
}
DONE, FAILED, WRONG = 0, 1, 2  # exit codes; argparse's own is 2 as well
SETTINGS = ("begin", "end", "signal", "signals", "observation", "action", "reward")
TEXTS = ("signal", "observation", "action", "reward", "output_dir", "backend", "host", "collision_action")


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0; 1 if an episode crashed or a file was not written; 2 if an argument cannot be."""
    given = _parser().parse_args(arguments)
    try:
        return _list(given.kinds) if given.command == "list" else _compare(given)
    except (SumoGymnasiumError, DependencyNotInstalled, ValueError, TypeError, OSError) as error:
        _tell(error)
        return WRONG
    except KeyboardInterrupt:
        _tell("interrupted")
        return 130


def _list(kinds: Sequence[str]) -> int:
    for kind in kinds or NAMES:
        print(f"{kind}:", *(f"  {name}" for name in NAMES[kind]), sep="\n")
    return DONE


def _compare(given: Namespace) -> int:
    settings = {name: _setting(name, text) for name in _settings() if (text := getattr(given, name)) is not None}
    files = {kind: path for kind in FILES if (path := getattr(given, kind)) is not None}
    for kind, path in files.items():
        _check(kind, path)
    comparison = compare(given.controllers, given.scenario, given.seeds, processes=given.processes, **settings)
    print(comparison.table())
    saved = [_saved(comparison, kind, path) for kind, path in files.items()]
    return DONE if all(saved) and not comparison.crashed else FAILED


def _check(kind: str, path: str) -> None:
    """Make sure that the file can be written, before hours are spent on what it is to hold.

    Raises:
        ValueError: it cannot, or there is no such kind of picture.
        DependencyNotInstalled: matplotlib is missing.
    """
    if kind == "plot":
        plots.require()
        _check_format(path)
    try:
        _try_to_write(Path(path))
    except OSError as error:
        raise ValueError(f"--{kind} {path}: cannot be written ({error.strerror or error}); expected a file") from error


def _check_format(path: str) -> None:
    from matplotlib.backend_bases import FigureCanvasBase  # noqa: PLC0415 - optional

    known = FigureCanvasBase.get_supported_filetypes()
    if Path(path).suffix[1:].lower() not in known:
        endings = ", ".join(f".{ending}" for ending in sorted(known))
        raise ValueError(f"--plot {path}: no picture's name; expected one that ends in one of {endings}")


def _try_to_write(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir() or path.is_file():
        path.open("ab").close()
    elif not path.exists():  # a pipe, say, would notice
        path.open("xb").close()
        path.unlink()


def _saved(comparison: Comparison, kind: str, path: str) -> bool:
    try:
        FILES[kind](comparison, path)
    except Exception as error:  # the other files are yet to be written
        _tell(f"--{kind} {path}: not written ({error})")
        return False
    return True


def _save_json(comparison: Comparison, path: str) -> None:
    Path(path).write_text(comparison.to_json() + "\n", encoding="utf-8")


def _save_csv(comparison: Comparison, path: str) -> None:
    Path(path).write_text(comparison.to_csv(), encoding="utf-8", newline="")


FILES: Mapping[str, Callable[[Comparison, str], None]] = {
    "json": _save_json,
    "csv": _save_csv,
    "plot": Comparison.plot,
}


def _tell(what: object) -> None:
    """One line."""
    print(f"sumo_gymnasium: {' '.join(str(what).split())}", file=sys.stderr)


def _setting(name: str, text: str) -> Any:
    """What an option stands for: a name or an id as it is, and else what JSON makes of it, where it can."""
    if name in TEXTS:
        return text
    return _ids(text) if name == "signals" else _value(text)


def _ids(text: str) -> Any:
    """Ids, of which some look like numbers: a list in JSON, or one as it is."""
    try:
        found = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError:
        return [text]
    return found if isinstance(found, list) or found is None else [text]


def _value(text: str) -> Any:
    """A number, true, false, null or a list as JSON writes it; anything else is a name."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _settings() -> list[str]:
    return [*SETTINGS, *(field.name for field in fields(SumoConfig))]


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m sumo_gymnasium", description="Traffic signals in SUMO: who does best?")
    commands = parser.add_subparsers(dest="command", required=True)
    _add_list(commands)
    _add_compare(commands)
    return parser


def _add_list(commands: Any) -> None:
    listing = commands.add_parser("list", help="ids and names that there are")
    listing.add_argument("kinds", nargs="*", choices=[*NAMES, []], help="only these", metavar="KIND")


def _add_compare(commands: Any) -> None:
    comparing = commands.add_parser("compare", help="controllers on the same seeds, in parallel processes")
    comparing.add_argument("--scenario", required=True, help="a name, or the path of a .sumocfg")
    comparing.add_argument("--controllers", required=True, nargs="+", metavar="NAME", help="see `list controllers`")
    comparing.add_argument("--seeds", required=True, nargs="+", type=int, metavar="SEED")
    comparing.add_argument("--processes", type=int, help="at a time; else one a core")
    for name in FILES:
        comparing.add_argument(f"--{name}", metavar="FILE", help=f"write the {name} there")
    settings = comparing.add_argument_group("settings of the env", "as in docs/traffic_light.md; lists as JSON")
    for name in _settings():
        settings.add_argument(f"--{name.replace('_', '-')}", dest=name, metavar="VALUE")


if __name__ == "__main__":
    logging.getLogger("sumo_gymnasium").setLevel(logging.ERROR)  # SUMO's warnings would tear the progress bar apart
    sys.exit(main())
