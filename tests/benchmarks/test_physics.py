from pathlib import Path

import pytest

from tests.benchmarks.test_benchmarks import run


def test_physics__exact_figures_are_met() -> None:
    printed = run("physics.py", "--only", "1", "6")
    assert "| 1 | IDM on a ring of 230 m, mean speed | 3.454" in printed
    assert "| 7 | desired velocity" in printed
    assert "12 met, 0 MISSED" in printed


def test_physics__says_what_short_runs_miss() -> None:
    printed = run("physics.py", "--quick", "--only", "2", "4", "5")
    verdicts = [line.rpartition("|")[0].rpartition("|")[2].strip() for line in printed.splitlines()[3:-1]]
    assert len(verdicts) == 12
    assert set(verdicts) == {"met", "MISSED"}
    assert f"{verdicts.count('MISSED')} MISSED, of runs too short" in printed


def test_physics__records_and_draws_a_wave(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run("physics.py", "--quick", "--only", "6", "--pictures", str(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "ring.png",
        "trajectories-0.csv.gz",
        "trajectories-0.json",
    ]
