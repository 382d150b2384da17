"""The training of examples/ runs, on a small size: whether it learns is not asserted."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "examples" / "train_cologne3.py"


def test_train_cologne3__prints_a_table_and_saves_policy_curve_and_results(tmp_path: Path) -> None:
    options = ("--episodes", "1", "--end", "25290", "--folder", str(tmp_path))
    done = subprocess.run([sys.executable, SCRIPT, *options], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    assert "max pressure" in done.stdout, done.stderr
    assert "SHA-256 of the weights" in done.stdout
    assert {file.name for file in tmp_path.iterdir()} == {"policy.zip", "results.json", "curve.png"}
