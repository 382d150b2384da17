"""The command line of one episode, and SUMO's last words where it rejects it."""

import os
import re
from collections.abc import Mapping, Sequence, Set
from pathlib import Path

from sumolib.miscutils import parseTime

from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.sumocfg import NOT_FILES, canonical, is_output, without_outputs
from sumo_gymnasium.scenarios.tools import run

TRIPINFO = "episode-tripinfo.xml"
STATISTICS = "episode-statistics.xml"
LOG = "episode.log"
MESSAGES = 100  # of SUMO's, kept per episode

# What this package sets, and what a user writes instead; a sumocfg's own values of these are overridden.
INSTEAD = {
    "configuration-file": "scenario={'sumocfg': …}",
    "net-file": "scenario={'net_file': …}",
    "route-files": "scenario={'route_files': …}",
    "additional-files": "scenario={'additional_files': …}",
    "begin": "scenario={'begin': …}",
    "end": "scenario={'end': …}",
    "step-length": "step_length=…",
    "seed": "reset(seed=...)",
    "random": "reset() without a seed",
    "time-to-teleport": "time_to_teleport=…",
    "waiting-time-memory": "waiting_time_memory=…",
    "collision.action": "collision_action=…",
    "device.emissions.probability": "emissions=…",
    "device.emissions.explicit": "emissions=…",
    "device.emissions.deterministic": "emissions=…",
    "tripinfo-output": f"output_dir=…, and read its {TRIPINFO}",
    "tripinfo-output.write-unfinished": f"output_dir=…, and read its {TRIPINFO}",
    "tripinfo-output.write-undeparted": f"output_dir=…, and read its {TRIPINFO}",
    "statistic-output": f"output_dir=…, and read its {STATISTICS}",
    "output-prefix": "output_dir=…",
    "output-suffix": "output_dir=…",
    "log": f"output_dir=…, and read its {LOG}",
    "message-log": f"output_dir=…, and read its {LOG}",
    "error-log": f"output_dir=…, and read its {LOG}",
    "no-warnings": "logging.getLogger('sumo_gymnasium')",
}
# What would spoil the files that we read, print to the console, or end or stop the simulation.
LEFT_OUT = (
    *("save-configuration", "save-configuration.relative", "save-template", "save-schema", "save-commented"),
    *("human-readable-time", "output.format", "output.compression", "output.column-header", "output.column-separator"),
    *("precision", "device.tripinfo.probability", "device.tripinfo.explicit", "device.tripinfo.deterministic"),
    *("verbose", "print-options", "help", "version", "language", "log.timestamps", "log.processid"),
    *("duration-log.disable", "duration-log.statistics", "no-step-log", "step-log.period"),
    *("remote-port", "num-clients", "start", "quit-on-end", "game", "game.mode", "demo"),
    *("gui-testing", "gui-testing-debug", "gui-testing.setting-output"),
)
EMISSIONS = ("device.emissions.probability", "device.emissions.explicit", "device.emissions.deterministic")
UP = "../" * 32  # deeper than any folder: leads from everywhere to the root


def command_line(scenario: Scenario, config: SumoConfig, folder: str, seed: int) -> list[str]:
    """All options of SUMO for one episode, "--name", "value" in turn, without the program's name.

    The .sumocfg is not named: its options stand here one by one, less those that this package sets. Every file that
    SUMO writes, also for additional files, goes to `folder`: an output prefix leads it there. After SUMO has ended,
    `TRIPINFO`, `STATISTICS` and `LOG` are found in it.

    Args:
        scenario: the files and the time.
        config: how they are simulated; without its `output_dir` the user's output options are left out.
        folder: private to this episode, exists; the caller keeps it if there is an `output_dir`, else deletes it.
        seed: SUMO's seed.

    Raises:
        ValueError: a user's option that this package sets itself, or an output file without `output_dir`.
        ScenarioError: SUMO rejects the .sumocfg or a user's option.
    """
    target = os.path.abspath(folder)
    fixed = {*INSTEAD, *LEFT_OUT} - (set() if config.emissions else set(EMISSIONS))
    wanted = config.output_dir is not None
    asked = _asked(config.sumo_options, fixed, wanted)
    configured = canonical(scenario.sumocfg, ()) if scenario.sumocfg else {}
    theirs = {name: value for name, value in {**configured, **asked}.items() if name not in fixed}
    if theirs.get("tls.all-off") == "true":
        raise ScenarioError("tls.all-off is set, so every signal is dark; leave it out of the .sumocfg or sumo_options")
    theirs = _moved(theirs, target) if wanted else _unwritten(theirs)
    ours = {**_inputs(scenario), **_rules(scenario, config), "seed": str(seed), "random": "false", **_accounts(target)}
    settings = {"aggregate-warnings": "1", **theirs, **ours}
    return [word for name, value in settings.items() for word in (f"--{name}", value)]


def max_depart_delay(options: Sequence[str]) -> float:
    """After how many seconds SUMO gives a vehicle up that finds no room, by `command_line`'s options; 0: never."""
    value = _settings(options).get("--max-depart-delay", "-1")
    return max(0.0, float(parseTime(value)))


def diagnose(options: Sequence[str], said: str) -> str:
    """Why SUMO did not start with these options (of `command_line`).

    The log is empty after a failed start, and libsumo may have `said` no more than "Process Error". So SUMO's program
    loads the same files once more, without simulating; if it finds no fault, what was said is returned.
    """
    settings = _settings(options)
    settings["--end"] = settings["--begin"]
    quiet = ("--error-log", "--no-warnings")
    try:
        run("sumo", *(word for pair in settings.items() if pair[0] not in quiet for word in pair))
    except ScenarioError as error:
        words = str(error).partition(": ")[2]
        return words.replace("Quitting (on error).", "").strip()
    return said


def last_words(folder: str | Path) -> list[str]:
    """The warnings and errors of the episode in `folder`, each once; complete after SUMO has ended, else in part.

    Of a repeated warning there are the first and their number.
    """
    log = Path(folder) / LOG
    if not log.is_file():
        return []
    text = log.read_text("utf-8", "replace")
    messages = re.findall(r"^(?:Warning|Error): .*?(?=^Warning: |^Error: |\Z)", text, re.DOTALL | re.MULTILINE)
    return list(dict.fromkeys(" ".join(message.split()) for message in messages))[:MESSAGES]


def _inputs(scenario: Scenario) -> dict[str, str]:
    files = {
        "net-file": (scenario.net_file,),
        "route-files": scenario.route_files,
        "additional-files": scenario.additional_files,
    }
    return {name: ",".join(os.path.abspath(path) for path in paths) for name, paths in files.items() if paths}


def _rules(scenario: Scenario, config: SumoConfig) -> dict[str, str]:
    teleport = -1.0 if config.time_to_teleport is None else config.time_to_teleport
    rules = {
        "begin": _number(scenario.begin),
        "end": _number(scenario.last),
        "step-length": _number(scenario.step_length),
        "time-to-teleport": _number(teleport),
        "waiting-time-memory": _number(config.waiting_time_memory),
        "collision.action": config.collision_action,
    }
    if scenario.scale != 1.0:
        rules["scale"] = _number(scenario.scale)
    return {**rules, "device.emissions.probability": "1"} if config.emissions else rules


def _accounts(target: str) -> dict[str, str]:
    """What makes SUMO write the files that we read, and nothing to the console.

    Raises:
        ValueError: SUMO would put the time of day into the folder's name.
    """
    if "TIME" in target:
        raise ValueError(f"the folder {target!r}: SUMO replaces 'TIME' in it by the time of day; expected another name")
    path = os.path.splitdrive(target)[1].replace(os.sep, "/").strip("/")
    return {
        "output-prefix": f"{UP}{path}/",
        "tripinfo-output": os.path.join(target, TRIPINFO),
        "tripinfo-output.write-unfinished": "true",
        "tripinfo-output.write-undeparted": "true",
        "statistic-output": os.path.join(target, STATISTICS),
        "error-log": os.path.join(target, LOG),
        "no-warnings": "true",  # not to the console; the log gets them all the same
        "no-step-log": "true",
        "duration-log.disable": "true",
    }


def _asked(sumo_options: Sequence[str], fixed: Set[str], outputs: bool) -> dict[str, str]:
    """The user's options by canonical name.

    Raises:
        ValueError: one of them is in `fixed`, or wants a file while no `outputs` are kept.
    """
    asked = canonical(None, sumo_options) if sumo_options else {}
    for name in asked:
        if name in fixed:
            instead = f"use {INSTEAD[name]} instead" if name in INSTEAD else "leave it out"
            raise ValueError(f"sumo_options: {name!r} is set by this package; {instead}")
        if is_output(name) and not outputs:
            raise ValueError(f"sumo_options: {name!r} writes a file; say where it goes by output_dir=…")
    return asked


def _moved(settings: Mapping[str, str], target: str) -> dict[str, str]:
    """`settings` with the files of all outputs in `target`; what would go to the console becomes a file there too."""
    moved = dict(settings)
    taken = {TRIPINFO, STATISTICS, LOG}
    for option in filter(is_output, settings):
        files = []
        for path in settings[option].split(","):
            name = f"{option}.xml" if path in NOT_FILES else os.path.basename(path)
            name = name if name not in taken else f"{option}-{name}"
            taken.add(name)
            files.append(os.path.join(target, name))
        moved[option] = ",".join(files)
    return moved


def _unwritten(settings: Mapping[str, str]) -> dict[str, str]:
    """`settings` without output files."""
    kept = without_outputs(settings)
    if any(name.startswith("device.ssm.") for name in kept):
        kept["device.ssm.file"] = os.devnull  # unset, it would be a file for each vehicle
    return kept


def _settings(options: Sequence[str]) -> dict[str, str]:
    return dict(zip(options[::2], options[1::2], strict=True))


def _number(value: float) -> str:
    return f"{value:.12g}"
