"""Who takes part in speed.py, each as a command of its own, on the same traffic: same files, options, seed, seconds."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sumo_gymnasium.backends.options import command_line
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.tools import binary, environment

HERE = Path(__file__).parent
VENV = HERE.parent / ".venv-sumo-rl"
VERSION = "1.28.0"  # of SUMO
PACKAGES = (
    *("sumo-rl==1.4.5", "pettingzoo<1.25"),
    *(f"{part}=={VERSION}" for part in ("eclipse-sumo", "libsumo", "traci", "sumolib")),
)


@dataclass(frozen=True)
class Task:
    """What everyone simulates.

    Attributes:
        name: of the scenario.
        end: the simulated second at which the run ends.
        seed: SUMO's.
    """

    name: str
    end: float
    seed: int

    @property
    def scenario(self) -> Scenario:
        """The files and the time."""
        return scenario_of(self.name, end=self.end)

    def options(self, folder: Path) -> list[str]:
        """What this package would start SUMO with."""
        return command_line(self.scenario, SumoConfig(), str(folder), self.seed)


@dataclass(frozen=True)
class Contender:
    """One that simulates a task.

    Attributes:
        name: shown in tables.
        command: from the task, the folder for SUMO's files and whether to step at all.
        environment: of the process.
        most: repetitions after which it has shown enough; None: all.
    """

    name: str
    command: Callable[[Task, Path, bool], list[str]]
    environment: dict[str, str]
    most: int | None = None

    def run(self, task: Task, folder: Path, steps: bool) -> tuple[float, float]:
        """User and system time of one run with all processes that it starts, and what it says of its steps alone."""
        return cpu_seconds(self.command(task, folder, steps), self.environment)


def cpu_seconds(command: Sequence[str], environment: dict[str, str]) -> tuple[float, float]:
    """User and system time of a process and of the children that it waited for, and the last number that it printed.

    Plain SUMO prints none; its whole time is given twice.

    Raises:
        RuntimeError: it failed; the message holds its last words.
    """
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, env=environment, stdout=said, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise RuntimeError(f"{' '.join(command)} failed ({process.returncode}): {said.read().decode()[-2000:]}")
        said.seek(0)
        words = said.read().decode().split()
    total = usage.ru_utime + usage.ru_stime
    try:
        return total, float(words[-1])
    except (IndexError, ValueError):
        return total, total


def contenders(sumo_rl: bool) -> list[Contender]:
    """Plain SUMO first; sumo-rl only if wanted."""
    found = [
        Contender("plain sumo", _plain, environment()),
        Contender("ours, inline", _ours("inline"), dict(os.environ)),
        Contender("ours, worker", _ours("worker"), dict(os.environ)),
        Contender("ours, all act", _ours("inline", "--act"), dict(os.environ)),
    ]
    if sumo_rl:
        theirs = _sumo_rl_environment()
        libsumo = {**theirs, "LIBSUMO_AS_TRACI": "1"}
        found += [
            Contender("sumo-rl, libsumo", _sumo_rl, libsumo),
            Contender("sumo-rl, TraCI", _sumo_rl, theirs, most=1),  # slow, and its ratio is far from its goal's edge
        ]
    return found


def make_venv() -> None:
    """sumo-rl's own venv, if it is missing: it needs an older PettingZoo than this package."""
    if (VENV / "installed").exists():
        return
    print(f"making {VENV}", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    subprocess.run([_python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True)
    (VENV / "installed").touch()


def _python() -> str:
    return str(VENV / "bin" / "python")


def _sumo_rl_environment() -> dict[str, str]:
    home = next(VENV.glob("lib/python*/site-packages/sumo"))
    kept = {name: value for name, value in os.environ.items() if name not in ("LIBSUMO_AS_TRACI", "PYTHONPATH")}
    return {**kept, "SUMO_HOME": str(home)}


def _plain(task: Task, folder: Path, steps: bool) -> list[str]:
    options = task.options(folder)
    if not steps:
        options[options.index("--end") + 1] = options[options.index("--begin") + 1]
    return [binary("sumo"), *options]


def _ours(host: str, *options: str) -> Callable[[Task, Path, bool], list[str]]:
    def command(task: Task, folder: Path, steps: bool) -> list[str]:
        script = [sys.executable, str(HERE / "run_ours.py")]
        given = [task.name, f"{task.end:g}", str(folder), "--host", host, *options]
        return [*script, *given, *([] if steps else ["--no-steps"])]

    return command


def _sumo_rl(task: Task, folder: Path, steps: bool) -> list[str]:
    return [_python(), str(HERE / "run_sumo_rl.py"), json.dumps(task.options(folder))]
