"""CPU seconds of this process and of all that it has started, also while they run (Linux)."""

import os
import resource
from contextlib import suppress
from pathlib import Path

TICK = 1 / os.sysconf("SC_CLK_TCK")  # s


def used() -> float:
    """User and system time so far, s."""
    ended = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in ended) + _running(os.getpid())


def _running(parent: int) -> float:
    total = 0.0
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                words = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(words[1]) == parent:
                    total += sum(map(int, words[11:15])) * TICK + _running(int(entry.name))
    return total
