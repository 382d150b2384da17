"""docs/evaluation.md agrees with the code."""

import re
from pathlib import Path
from typing import Any

import pytest

from sumo_gymnasium import evaluation
from sumo_gymnasium.evaluation.result import MEASURES
from tests.test_docs import blocks, page, terms

PAGE = page("docs/evaluation.md")


def test_page__lists_the_measures_of_the_table() -> None:
    assert terms(PAGE.partition("shows these columns")[2].partition("\n## ")[0]) == set(MEASURES)


def test_page__example_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    (code,) = blocks(PAGE)
    short = code.replace("range(5)", "range(2)").replace("resco-cologne3", "intersection-uniform")
    short = short.replace("decision_interval=10", "decision_interval=10, end=60")
    assert short.count("end=60") == 2
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(short, names)
    assert re.match(r"Summary\(count=2, mean=", capsys.readouterr().out)
    assert (tmp_path / "runs" / "controllers.png").exists()
    assert isinstance(names["comparison"], evaluation.Comparison)
