import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sumo_gymnasium.scenarios.cache import FOLDER, cache_folder, made


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    return tmp_path / "cache"


def slowly(folder: Path) -> None:
    (folder / "first").write_text("1")
    time.sleep(0.3)
    (folder / "second").write_text("2")


def ask(results: "multiprocessing.Queue[list[str]]") -> None:
    results.put(sorted(path.name for path in made("slow", {"rows": 3}, slowly).iterdir()))


def test_folder__is_filled_once() -> None:
    calls: list[Path] = []
    assert made("a", [1, 2], calls.append) == made("a", [1, 2], calls.append)
    assert len(calls) == 1


def test_folder__is_another_one_for_other_inputs() -> None:
    folders = {made("a", inputs, lambda folder: None) for inputs in ([1], [2], {"1": 2})}
    assert len(folders) == 3


def test_processes__that_ask_at_once_see_whole_folders(own_cache: Path) -> None:
    context = multiprocessing.get_context("fork")
    results: multiprocessing.Queue[list[str]] = context.Queue()
    processes = [context.Process(target=ask, args=(results,)) for _ in range(2)]
    for process in processes:
        process.start()
    found = [results.get(timeout=60) for _ in processes]
    for process in processes:
        process.join()
    assert found == [["first", "second"]] * 2
    assert len(list(own_cache.iterdir())) == 1  # nothing half-written is left behind


def test_failure__leaves_nothing_behind(own_cache: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").write_text("")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        made("a", 1, fail)
    assert list(own_cache.iterdir()) == []


def test_cache__lies_elsewhere_where_the_home_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "no folder"
    file.write_text("")
    monkeypatch.delenv(FOLDER)
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    if sys.platform == "linux":
        assert cache_folder().parent == tmp_path


def test_scenario__needs_no_sumo_home(tmp_path: Path) -> None:
    code = "from sumo_gymnasium.scenarios.registry import scenario_of; print(scenario_of('grid').net_file)"
    environment = {key: value for key, value in os.environ.items() if key not in ("SUMO_HOME", "HOME")}
    environment |= {FOLDER: str(tmp_path / "elsewhere"), "PYTHONPATH": os.pathsep.join(sys.path)}
    said = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert said.stdout.startswith(str(tmp_path / "elsewhere"))
