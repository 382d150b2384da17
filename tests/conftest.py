"""What all tests share: the case files, and a look at what they leave behind."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import libsumo
import pytest

import sumo_gymnasium  # noqa: F401 - registers the ids

CASES = Path(__file__).parent / "cases"
STEP_LENGTH = CASES / "13-step-length"
SMALL = str(STEP_LENGTH / "a-step-1.0.sumocfg")  # one crossing, three phases, 600 s

Make = Callable[..., Any]


@pytest.fixture(autouse=True, scope="session")
def ctrl_c() -> None:
    """Ctrl-C interrupts, also where the tests were started in the background, whose processes ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def make() -> Iterator[Make]:
    """`gymnasium.make("SumoTrafficLight-v0", …)`, by default on a small crossing; closed after the test."""
    made: list[gymnasium.Env[Any, Any]] = []

    def make_env(scenario: Any = SMALL, **settings: Any) -> gymnasium.Env[Any, Any]:
        if scenario == SMALL:
            settings.setdefault("end", 300)
        made.append(gymnasium.make("SumoTrafficLight-v0", scenario=scenario, **settings))
        return made[-1]

    yield make_env
    for env in made:
        env.close()
    assert not libsumo.isLoaded(), "the test left a simulation behind"


def children() -> list[int]:
    """The pids of this process's living children (zombies are not)."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == os.getpid() and fields[0] != "Z":
                found.append(int(entry))
    return found
