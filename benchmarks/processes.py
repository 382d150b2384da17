"""The processes that a script has started, directly or not, also those that lost their parent (Linux)."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

MARK = "SUMO_GYMNASIUM_SOAK"  # in the environment of every process that comes from this one
PAGE = os.sysconf("SC_PAGE_SIZE")


def mark() -> None:
    """From now on every process that this one starts, directly or not, can be found."""
    os.environ[MARK] = str(os.getpid())


def started() -> list[int]:
    """The pids of the processes that came from this one and are there now, zombies of its own included."""
    found = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]
    return [pid for pid in found if pid != os.getpid() and (_is_marked(pid) or _is_zombie(pid))]


def left(patience: float = 5.0) -> list[int]:
    """The processes that are still there after `patience` seconds, in which they may come to their end."""
    deadline = time.monotonic() + patience
    while (there := started()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return there


def resident(pid: int | None = None) -> float:
    """Memory of a process that is in RAM, MB (10⁶ bytes); None: this process."""
    pages = int(Path(f"/proc/{pid or os.getpid()}/statm").read_text().split()[1])
    return pages * PAGE / 1e6


def kill(pid: int) -> None:
    """kill -9, if it is there."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _is_marked(pid: int) -> bool:
    with suppress(OSError):
        return f"{MARK}={os.getpid()}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return False


def _is_zombie(pid: int) -> bool:
    with suppress(OSError):
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
        return state == "Z" and int(parent) == os.getpid()
    return False
