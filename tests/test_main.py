"""The shell command, as users call it: a process of its own, in a folder without the checkout."""

import csv
import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from sumo_gymnasium.__main__ import FILES, NAMES, TEXTS, _setting, main
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.evaluation import Comparison
from tests.conftest import SMALL

Output = pytest.CaptureFixture[str]


def shell(*words: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "sumo_gymnasium", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)


def test_compare__prints_a_table_and_writes_files(tmp_path: Path) -> None:
    words = ["compare", "--scenario", "intersection-uniform", "--controllers", "greedy", "random", "--end", "120"]
    files = ["--json", "out/a.json", "--csv", "out/a.csv", "--plot", "out/a.png"]
    done = shell(*words, *files, "--seeds", "1", "2", "--decision-interval", "10", "--processes", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^delay, s a vehicle due +(\w+) ", done.stdout, re.MULTILINE) == ["greedy", "random"]
    assert "Traceback" not in done.stderr
    results = json.loads((tmp_path / "out/a.json").read_text())["results"]
    assert [result["settings"]["decision_interval"] for result in results] == [10, 10]
    rows = list(csv.DictReader((tmp_path / "out/a.csv").open()))
    assert [(row["policy"], row["seed"]) for row in rows] == [
        ("greedy", "1"),
        ("greedy", "2"),
        ("random", "1"),
        ("random", "2"),
    ]
    assert (tmp_path / "out/a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--controllers gredy --scenario intersection-uniform", "no controller 'gredy'; did you mean 'greedy'?"),
        ("--controllers greedy --scenario nowhere.sumocfg", "nowhere.sumocfg"),
        ("--controllers greedy --scenario intersection-uniform --min-green -3", "min_green=-3: expected"),
        ("--controllers greedy --scenario intersection-uniform --processes 0", "processes=0: expected"),
        (
            "--controllers fixed --scenario intersection-uniform --action keep_or_switch",
            "controller 'fixed' cannot act in an env with action='keep_or_switch'; expected 'phase' or",
        ),
    ],
)
def test_wrong_argument__is_one_line_and_code_2(words: str, message: str, tmp_path: Path) -> None:
    done = shell("compare", "--seeds", "1", *words.split(), cwd=tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert message in line
    assert done.stdout == ""


def test_usage__is_argparses(tmp_path: Path) -> None:
    done = shell(cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: python -m sumo_gymnasium")


def test_crash__is_told_and_code_1(capsys: Output) -> None:
    words = f"compare --scenario {SMALL} --controllers tests.test_main:deadly --seeds 1 --end 60 --processes 1"
    assert main(words.split()) == 1
    assert "tests.test_main:deadly, seed 1: ZeroDivisionError" in capsys.readouterr().out


def deadly(kernel: object, agent: str) -> int:
    raise ZeroDivisionError("mine")


def test_plot_without_matplotlib__is_told_before_anything_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: Output, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    words = f"compare --scenario {SMALL} --controllers greedy --seeds 1 --plot {tmp_path}/a.png"
    assert main(words.split()) == 2
    printed = capsys.readouterr()
    assert printed.err == "sumo_gymnasium: figures need matplotlib: pip install 'sumo-gymnasium[plot]'\n"
    assert printed.out == ""


def must_not_run(*policies: Any, **settings: Any) -> None:
    raise AssertionError("it was simulated")


@pytest.mark.parametrize(
    ("option", "path", "message"),
    [
        ("json", "folder", "--json {}/folder: cannot be written (Is a directory)"),
        ("csv", "file/a.csv", "--csv {}/file/a.csv: cannot be written (File exists)"),
        ("plot", "folder.png", "--plot {}/folder.png: cannot be written (Is a directory)"),
        ("plot", "a.xyz", "--plot {}/a.xyz: no picture's name; expected one that ends in one of ."),
        ("plot", "a", "--plot {}/a: no picture's name; expected"),
        ("json", "a" * 300, "cannot be written (File name too long)"),
    ],
)
def test_file_that_cannot_be_written__is_told_before_anything_runs(
    option: str, path: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr("sumo_gymnasium.__main__.compare", must_not_run)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "file").write_text("")
    words = f"compare --scenario {SMALL} --controllers greedy --seeds 1 --{option} {tmp_path}/{path}"
    assert main(words.split()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message.format(tmp_path) in line


def test_files__are_as_they_were_until_there_is_something_to_write(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("old")
    words = f"compare --scenario {SMALL} --controllers greedy --seeds 1 --min-green -3"
    files = f" --json {tmp_path}/a.json --csv {tmp_path}/a.csv --plot {tmp_path}/a.PNG"
    assert main((words + files).split()) == 2
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.json", "old")]


@pytest.mark.parametrize("kind", ["json", "csv", "plot"])
def test_file_that_is_lost__leaves_the_others(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    def full(comparison: Comparison, path: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(FILES, kind, full)
    words = f"compare --scenario {SMALL} --controllers greedy --seeds 1 --end 20 --processes 1"
    names = {"json": "a.json", "csv": "a.csv", "plot": "a.png"}
    files = "".join(f" --{each} {tmp_path}/{name}" for each, name in names.items())
    assert main((words + files).split()) == 1
    assert {path.name for path in tmp_path.iterdir()} == {*names.values()} - {names[kind]}
    line = capsys.readouterr().err.splitlines()[-1]
    assert (
        line == f"sumo_gymnasium: --{kind} {tmp_path}/{names[kind]}: not written ([Errno 28] No space left on device)"
    )


def test_plot_of_nothing__leaves_the_others(tmp_path: Path, capsys: Output) -> None:
    words = f"compare --scenario {SMALL} --controllers tests.test_main:deadly --seeds 1 --end 60 --processes 1"
    assert main(f"{words} --plot {tmp_path}/a.png --json {tmp_path}/a.json".split()) == 1
    assert "ZeroDivisionError" in (tmp_path / "a.json").read_text()
    assert "a.png: not written (nothing to draw" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["signal", "signals"])
def test_ids__may_look_like_numbers(option: str, tmp_path: Path) -> None:
    words = "compare --scenario resco-cologne3 --controllers fixed --seeds 1 --end 25220 --processes 1"
    file = tmp_path / "a.json"
    assert main(f"{words} --{option} 360082 --json {file}".split()) == 0
    (result,) = json.loads(file.read_text())["results"]
    assert result["settings"][option] == ("360082" if option == "signal" else ["360082"])


def test_output_dir__may_look_like_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = f"compare --scenario {SMALL} --controllers greedy --seeds 1 --end 20 --processes 1 --output-dir 12"
    assert main(words.split()) == 0
    assert list((tmp_path / "12").glob("env-*/episode-*/episode-tripinfo.xml"))


def test_list__names_everything(capsys: Output) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for kind, names in NAMES.items():
        start = lines.index(f"{kind}:") + 1
        assert lines[start : start + len(names)] == [f"  {name}" for name in names]
    assert main(["list", "controllers", "ids"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if line.endswith(":")] == ["controllers:", "ids:"]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("yellow", "5", 5),
        ("yellow", "0.5", 0.5),
        ("gui", "true", True),
        ("max_green", "null", None),
        ("begin", "soon", "soon"),
        ("sumo_options", '["--scale", "2"]', ["--scale", "2"]),
        ("signals", '["A0", 360082, 1e3]', ["A0", "360082", "1e3"]),
        ("signals", "007", ["007"]),
        ("signals", "1e3", ["1e3"]),
        ("signals", "true", ["true"]),
        ("signals", "null", None),
    ],
)
def test_setting__is_json_where_it_can_be(name: str, text: str, value: object) -> None:
    assert _setting(name, text) == value


@pytest.mark.parametrize("text", ["12", "1e3", "true", "null", "[1]", "A0"])
@pytest.mark.parametrize("name", TEXTS)
def test_setting__of_names_is_as_it_is_written(name: str, text: str) -> None:
    assert _setting(name, text) == text


def test_texts__are_the_settings_that_take_names() -> None:
    names = {field.name for field in fields(SumoConfig) if isinstance(field.default, str)}
    assert names | {"output_dir", "signal", "observation", "action", "reward"} == set(TEXTS)
