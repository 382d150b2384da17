import importlib.util
import sys
from typing import Any

import pytest

from sumo_gymnasium.evaluation import compare
from sumo_gymnasium.kernels.kernel import Kernel
from tests.conftest import SMALL


def test_progress__is_lines_without_tqdm(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr("sumo_gymnasium.evaluation.jobs.find_spec", lambda name: None if name == "tqdm" else find(name))
    compare({"a": lambda observation: 0}, SMALL, [1, 2], end=20, processes=1)
    assert capsys.readouterr().err.splitlines()[-2:] == ["episode 1 of 2", "episode 2 of 2"]


def test_progress__can_be_silent(capfd: pytest.CaptureFixture[str]) -> None:
    compare({"a": lambda observation: 0}, SMALL, [1], end=20, processes=1, progress=False)
    assert capfd.readouterr().err == ""


def fine(kernel: Kernel, agent: str) -> int:
    return 0


class Gone:
    """A policy that cannot be made where it is sent to."""

    def __reduce__(self) -> tuple[Any, ...]:
        return sys.exit, ("unpacked",)

    def __call__(self, observation: Any) -> int:
        sys.exit("unpacked")


@pytest.mark.parametrize("processes", [1, 2])
def test_policy_that_exits__costs_its_own_episodes_only(processes: int) -> None:
    def function(observation: Any) -> int:
        sys.exit("of a function")

    def controller(kernel: Kernel, agent: str) -> int:
        sys.exit("of a controller")

    policies = {"function": function, "controller": controller, "gone": Gone(), "fine": fine}
    comparison = compare(policies, SMALL, [1, 2], end=20, processes=processes, progress=False)
    errors = {result.policy: [str(episode.error) for episode in result.crashed] for result in comparison}
    assert errors == {
        "function": ["SystemExit: of a function"] * 2,
        "controller": ["SystemExit: of a controller"] * 2,
        "gone": ["SystemExit: unpacked"] * 2,
        "fine": [],
    }


@pytest.mark.parametrize("processes", [1, 2])
def test_interrupt__ends_everything(processes: int) -> None:
    def interrupted(observation: Any) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare({"a": interrupted, "b": fine}, SMALL, [1], end=20, processes=processes, progress=False)
