"""The wheel, as a user installs it: in a venv of its own, outside the checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

import sumo_gymnasium

CHECKOUT = Path(__file__).parent.parent
USE = """
import gymnasium, pathlib, sumo_gymnasium
assert "site-packages" in sumo_gymnasium.__file__, sumo_gymnasium.__file__
env = gymnasium.make("SumoTrafficLight-v0", end=30)
env.reset(seed=1)
print(env.step(0)[4]["time"], env.unwrapped.scenario.net_file)
env.close()
"""


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_wheel__works_in_a_fresh_venv(tmp_path: Path) -> None:
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, CHECKOUT, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    held = zipfile.ZipFile(wheel).namelist()
    assert "sumo_gymnasium/py.typed" in held
    assert "sumo_gymnasium/assets/intersection/intersection.net.xml" in held
    run(sys.executable, "-m", "venv", "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    pins = CHECKOUT / ".ci" / "constraints.txt"
    run(python, "-m", "pip", "install", "--quiet", "--constraint", pins, wheel, cwd=tmp_path)
    time, net = run(python, "-c", USE, cwd=tmp_path).split()
    assert time == "5.0"
    assert Path(net).is_relative_to(tmp_path)
    assert not list((tmp_path / "venv").rglob("torch"))


def test_version__is_the_one_of_the_project_file() -> None:
    assert f'version = "{sumo_gymnasium.__version__}"' in (CHECKOUT / "pyproject.toml").read_text()
