"""The shell command, as users call it: a process of its own, in a folder without the checkout."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sumo_gymnasium.__main__ import NAMES, _value, main
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


def test_list__names_everything(capsys: Output) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for kind, names in NAMES.items():
        start = lines.index(f"{kind}:") + 1
        assert lines[start : start + len(names)] == [f"  {name}" for name in names]
    assert main(["list", "controllers", "ids"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if line.endswith(":")] == ["controllers:", "ids:"]


@pytest.mark.parametrize(
    ("text", "value"), [("5", 5), ("0.5", 0.5), ("true", True), ("null", None), ("worker", "worker"), ('["a"]', ["a"])]
)
def test_setting__is_json_or_a_name(text: str, value: object) -> None:
    assert _value(text) == value
