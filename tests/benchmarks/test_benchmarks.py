"""The benchmarks run, on small sizes. Their figures are not asserted: a busy machine would fail."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def run(script: str, *options: str) -> str:
    done = subprocess.run([sys.executable, BENCHMARKS / script, *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_fidelity__tripinfo_is_plain_sumos() -> None:
    assert "intersection" in run("fidelity.py", "--quick")


def test_soak__passes_on_small_sizes() -> None:
    assert "FAIL" not in run("soak.py", "--quick")


def test_control__puts_controllers_beside_published_figures() -> None:
    table = run("control.py", "--quick")
    assert "max_pressure_guarded" in table
    assert "RESCO" in table


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_soak__passes() -> None:
    sizes = ("--resets", "3000", "--worker-resets", "300", "--alive", "64", "--networks", "60", "--kills", "50")
    assert "FAIL" not in run("soak.py", *sizes)
