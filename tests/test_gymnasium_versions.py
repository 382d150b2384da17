"""The Gymnasium versions beside the one that RLlib pins."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TESTS = ("test_every_env.py", "test_registration.py", "envs/test_single.py")


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("version", ["1.0.0", "1.4.0"])
def test_envs__work_on_gymnasium(version: str, tmp_path: Path) -> None:
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", tmp_path]
    subprocess.run([*install, f"gymnasium=={version}"], check=True)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    code = "import gymnasium; print(gymnasium.__version__)"
    seen = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == version
    tests = [HERE / name for name in TESTS]
    done = subprocess.run([sys.executable, "-m", "pytest", *tests], env=environment, cwd=HERE.parent)
    assert done.returncode == 0
