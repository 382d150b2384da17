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
    code = blocks(PAGE)[0]
    short = code.replace("range(5)", "range(2)").replace("resco-cologne3", "intersection-uniform")
    short = short.replace("decision_interval=10", "decision_interval=10, end=60")
    assert short.count("end=60") == 2
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(short, names)
    assert re.match(r"Summary\(count=2, mean=", capsys.readouterr().out)
    assert (tmp_path / "runs" / "controllers.png").exists()
    assert isinstance(names["comparison"], evaluation.Comparison)


@pytest.mark.usefixtures("make")  # looks for what is left behind
def test_page__memory_is_the_same_in_every_host_and_begins_anew() -> None:
    names: dict[str, Any] = {"__name__": __name__, "evaluate": evaluation.evaluate}
    exec(blocks(PAGE)[1], names)
    controller = names["InTurn"]()
    worker = evaluation.evaluate(controller, "intersection-uniform", [0, 1], end=120, host="worker")
    assert names["result"].episodes == worker.episodes
    (alone,) = evaluation.evaluate(controller, "intersection-uniform", [1], end=120).episodes
    assert worker.episodes[1] == alone
    still = evaluation.evaluate(lambda kernel, agent: 0, "intersection-uniform", [1], end=120)
    assert still.episodes[0] != alone
