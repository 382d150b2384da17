"""SUMO's own programs, from the eclipse-sumo wheel: no SUMO_HOME, no PATH needed."""

import os
import subprocess
from pathlib import Path

import sumo

from sumo_gymnasium.errors import ScenarioError


def binary(program: str) -> str:
    """The path of SUMO's own `program` ("sumo", "sumo-gui", "netconvert", "netgenerate").

    Not the wheel's script of that name: killing the script would leave the real program an orphan.
    """
    suffix = ".exe" if os.name == "nt" else ""
    return str(Path(sumo.SUMO_HOME) / "bin" / f"{program}{suffix}")


def environment() -> dict[str, str]:
    """The environment for a child: SUMO looks for its XML schemas below SUMO_HOME. Ours is left alone."""
    return {**os.environ, "SUMO_HOME": sumo.SUMO_HOME}


def run(program: str, *options: str, cwd: str | Path | None = None) -> str:
    """Run `program` to its end and return what it said.

    Raises:
        ScenarioError: it failed; the message holds its last words.
    """
    command = [binary(program), *options]
    done = subprocess.run(
        command, env=environment(), cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    said = done.stdout.decode("utf-8", "replace")
    if done.returncode:
        raise ScenarioError(f"{program} failed ({done.returncode}): {said.strip()}")
    return said
