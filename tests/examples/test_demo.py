"""The demo, in a few seconds: what it prints, draws and answers."""

import importlib
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sumo_gymnasium.scenarios.intersection import SIGNAL, intersection
from sumo_gymnasium.scenarios.programs import active_programs
from sumo_gymnasium.scenarios.scenario import Scenario

EXAMPLES = Path(__file__).parents[2] / "examples"
CONTENDERS = (
    "PPO",
    "fixed plan, 65 s cycle",
    "fixed plan, 79 s cycle (Webster)",
    "fixed plan, 94 s cycle",
    "SUMO's actuated program",
    "random phases",
)


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of that name in examples/, whose scripts import each other as scripts do."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module


def program(scenario: Scenario) -> Any:
    return active_programs(scenario.net_file, scenario.additional_files, scenario.begin)[SIGNAL]


def test_demo__prints_a_table_saves_a_picture_and_says_whether_the_fixed_plan_was_beaten(
    example: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "new folder" / "demo.png"
    code = example("demo").main(256, 0, [1000, 1001], picture, end=300, decision_interval=10)
    printed = capsys.readouterr().out
    delays = {name: float(re.search(rf"^{re.escape(name)} +([\d.]+) ± ", printed, re.M)[1]) for name in CONTENDERS}
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert code == (0 if delays["PPO"] < min(delays[name] for name in CONTENDERS[1:4]) else 1)


@pytest.mark.parametrize(("ours", "code"), [(30.0, 0), (31.0, 1), (50.0, 1)])
def test_demo__has_to_beat_the_best_of_the_fixed_plans(
    ours: float, code: int, example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo = example("demo")
    result = example("evaluation").Result

    def measured(delay: float) -> list[Any]:
        return [result(delay, 2 * delay, 3.0)] * 2

    others = {example("rivals").ACTUATED: measured(20.0), "random phases": measured(500.0)}
    monkeypatch.setattr(demo.rivals, "fixed", lambda *_: {"short": measured(31.0), "Webster": measured(70.0)})
    monkeypatch.setattr(demo.rivals, "others", lambda *_: others)
    monkeypatch.setattr(demo, "train", lambda *_: (SimpleNamespace(predict=None), [(100, 80.0), (100, 90.0)]))
    monkeypatch.setattr(demo, "evaluate", lambda *_, **__: measured(ours))
    assert demo.main(0, 0, [0], tmp_path / "demo.png") == code


def test_fixed_plans__are_websters_and_20_percent_around_it(example: Any, tmp_path: Path) -> None:
    short, webster, long = map(program, example("rivals").fixed_plans("asymmetric", tmp_path).values())
    shipped = program(intersection("asymmetric"))
    assert (webster.states, webster.durations) == (shipped.states, shipped.durations)
    assert short.states == long.states == shipped.states
    cycle = sum(shipped.durations)
    assert sum(short.durations) == pytest.approx(0.8 * cycle, abs=2)
    assert sum(long.durations) == pytest.approx(1.2 * cycle, abs=2)


def test_table__gives_mean_and_standard_deviation(example: Any) -> None:
    result = example("evaluation").Result
    *_, line = example("figures").table({"PPO": [result(10, 20, 1), result(14, 30, 3)]}).splitlines()
    assert line.split() == ["PPO", "12.0", "±", "2.0", "25.0", "±", "5.0", "2.0", "±", "1.0"]
