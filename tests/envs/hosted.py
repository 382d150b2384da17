"""What a test lets a worker host, and looks at the worker's process. Without pytest: the worker imports it."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sumo_gymnasium.envs.remote import Worker


class Hosted:
    """Runs whatever a test sends it."""

    def echo(self, *args: Any) -> Any:
        return args

    def run(self, function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)

    def close(self) -> None:
        pass


def pid(worker: Worker) -> int:
    return int(worker.call("run", os.getpid))


def no_process(process: int) -> bool:
    """Whether nothing is left of `process`, not even a zombie."""
    return not Path(f"/proc/{process}").exists()


def ended(process: int) -> bool:
    """Whether `process` has ended. An orphan may stay a zombie: who reaps it is not ours to say."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"


def ends(process: int, within: float = 4.0) -> bool:
    """Whether `process` ends in the next `within` seconds."""
    deadline = time.monotonic() + within
    while not ended(process) and time.monotonic() < deadline:
        time.sleep(0.02)
    return ended(process)
