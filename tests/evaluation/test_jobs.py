import importlib.util

import pytest

from sumo_gymnasium.evaluation import compare
from tests.conftest import SMALL


def test_progress__is_lines_without_tqdm(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr("sumo_gymnasium.evaluation.jobs.find_spec", lambda name: None if name == "tqdm" else find(name))
    compare({"a": lambda observation: 0}, SMALL, [1, 2], end=20, processes=1)
    assert capsys.readouterr().err.splitlines()[-2:] == ["episode 1 of 2", "episode 2 of 2"]


def test_progress__can_be_silent(capfd: pytest.CaptureFixture[str]) -> None:
    compare({"a": lambda observation: 0}, SMALL, [1], end=20, processes=1, progress=False)
    assert capfd.readouterr().err == ""
