"""The shell: `python -m sumo_gymnasium compare …` and `python -m sumo_gymnasium list`."""

import json
import logging
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from gymnasium.error import DependencyNotInstalled

from sumo_gymnasium import plots
from sumo_gymnasium.actions.signal import ACTIONS
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.controllers import CONTROLLERS
from sumo_gymnasium.errors import SumoGymnasiumError
from sumo_gymnasium.evaluation import Comparison, compare
from sumo_gymnasium.metrics import METRICS
from sumo_gymnasium.observations.signal import OBSERVATIONS
from sumo_gymnasium.registration import IDS
from sumo_gymnasium.rewards import REWARDS
from sumo_gymnasium.scenarios.registry import SCENARIOS

NAMES: Mapping[str, Mapping[str, Any]] = {
    "ids": IDS,
    "scenarios": SCENARIOS,
    "observations": OBSERVATIONS,
    "actions": ACTIONS,
    "rewards": REWARDS,
    "metrics": METRICS,
    "controllers": CONTROLLERS,
}
DONE, CRASHED, WRONG = 0, 1, 2  # exit codes; argparse's own is 2 as well
SETTINGS = ("begin", "end", "signal", "signals", "observation", "action", "reward")


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0; 1 if an episode crashed; 2 if an argument cannot be."""
    given = _parser().parse_args(arguments)
    try:
        return _list(given.kinds) if given.command == "list" else _compare(given)
    except (SumoGymnasiumError, DependencyNotInstalled, ValueError, TypeError, OSError) as error:
        print(f"sumo_gymnasium: {' '.join(str(error).split())}", file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        print("sumo_gymnasium: interrupted", file=sys.stderr)
        return 130


def _list(kinds: Sequence[str]) -> int:
    for kind in kinds or NAMES:
        print(f"{kind}:", *(f"  {name}" for name in NAMES[kind]), sep="\n")
    return DONE


def _compare(given: Namespace) -> int:
    settings = {name: _value(text) for name in _settings() if (text := getattr(given, name)) is not None}
    if given.plot is not None:
        plots.require()
    for path in filter(None, (given.json, given.csv, given.plot)):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    comparison = compare(given.controllers, given.scenario, given.seeds, processes=given.processes, **settings)
    print(comparison.table())
    _save(comparison, given)
    return CRASHED if comparison.crashed else DONE


def _save(comparison: Comparison, given: Namespace) -> None:
    if given.json is not None:
        Path(given.json).write_text(comparison.to_json() + "\n", encoding="utf-8")
    if given.csv is not None:
        Path(given.csv).write_text(comparison.to_csv(), encoding="utf-8", newline="")
    if given.plot is not None:
        comparison.plot(given.plot)


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
    for name in ("json", "csv", "plot"):
        comparing.add_argument(f"--{name}", metavar="FILE", help=f"write the {name} there")
    settings = comparing.add_argument_group("settings of the env", "as in docs/traffic_light.md; lists as JSON")
    for name in _settings():
        settings.add_argument(f"--{name.replace('_', '-')}", dest=name, metavar="VALUE")


if __name__ == "__main__":
    logging.getLogger("sumo_gymnasium").setLevel(logging.ERROR)  # SUMO's warnings would tear the progress bar apart
    sys.exit(main())
