import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.cache import CONTENTS, FOLDER, made
from sumo_gymnasium.scenarios.registry import scenario_of


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
    assert found == [[CONTENTS, "first", "second"]] * 2
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
        assert made("a", 1, fill).parent.parent == tmp_path


def fill(folder: Path) -> None:
    (folder / "net").write_text("a net")
    (folder / "deep").mkdir()
    (folder / "deep" / "empty").write_text("")


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Nothing can be made any more, not even by root."""

    def refuse(*arguments: object, **more: object) -> None:
        raise OSError(30, "Read-only file system")

    def freeze() -> None:
        for name in ("mkdtemp", "mkstemp", "TemporaryFile", "NamedTemporaryFile"):
            monkeypatch.setattr(tempfile, name, refuse)

    return freeze


def test_entry__is_found_where_nothing_can_be_written(read_only: Callable[[], None]) -> None:
    folder = made("a", 1, fill)
    read_only()
    assert made("a", 1, fill) == folder


def test_entry__is_found_in_a_home_where_nothing_can_be_written(
    tmp_path: Path, read_only: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(FOLDER)
    monkeypatch.setattr("sumo_gymnasium.scenarios.cache._users_cache", lambda: tmp_path)
    folder = made("a", 1, fill)
    read_only()
    assert made("a", 1, fill) == folder
    assert folder.parent == tmp_path / "sumo_gymnasium"


def test_entry__cannot_be_made_where_nothing_can_be_written(own_cache: Path, read_only: Callable[[], None]) -> None:
    read_only()
    message = re.escape(f"${FOLDER}='{own_cache}': cannot keep 'a-") + ".*Read-only file system.*expected a folder"
    with pytest.raises(ScenarioError, match=message):
        made("a", 1, fill)


@pytest.mark.parametrize("below", ["", "below"])
def test_cache__that_is_a_file_is_told_by_the_variables_name(
    below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(FOLDER, str(tmp_path / "file" / below))
    with pytest.raises(ScenarioError, match=r"^\$SUMO_GYMNASIUM_CACHE='.*file.*': cannot keep 'a-.*expected a folder"):
        made("a", 1, fill)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o755), (0o002, 0o775), (0o077, 0o700)])
def test_entry__has_the_permissions_that_the_umask_leaves(mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        folder = made("a", 1, fill)
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == mode


def delete(folder: Path) -> None:
    (folder / "net").unlink()


def cut(folder: Path) -> None:
    (folder / "net").write_text("")


def shorten(folder: Path) -> None:
    (folder / "net").write_text("a n")


def delete_a_folder(folder: Path) -> None:
    shutil.rmtree(folder / "deep")


def delete_the_contents(folder: Path) -> None:
    (folder / CONTENTS).unlink()


def cut_the_contents(folder: Path) -> None:
    (folder / CONTENTS).write_text("")


def delete_all(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


@pytest.mark.parametrize(
    "harm", [delete, cut, shorten, delete_a_folder, delete_the_contents, cut_the_contents, delete_all]
)
def test_entry__that_is_harmed_is_made_again(harm: Callable[[Path], None], own_cache: Path) -> None:
    calls: list[Path] = []

    def counted(folder: Path) -> None:
        calls.append(folder)
        fill(folder)

    folder = made("a", 1, counted)
    harm(folder)
    for _ in range(2):
        assert made("a", 1, counted) == folder
        assert (folder / "net").read_text() == "a net"
        assert (folder / "deep" / "empty").read_text() == ""
    assert len(calls) == 2
    assert list(own_cache.iterdir()) == [folder]


def test_network__that_is_gone_is_made_again() -> None:
    net = Path(scenario_of("grid").net_file)
    text = net.read_text()
    net.unlink()
    assert Path(scenario_of("grid").net_file).read_text() == text


def test_scenario__needs_no_sumo_home(tmp_path: Path) -> None:
    code = "from sumo_gymnasium.scenarios.registry import scenario_of; print(scenario_of('grid').net_file)"
    environment = {key: value for key, value in os.environ.items() if key not in ("SUMO_HOME", "HOME")}
    environment |= {FOLDER: str(tmp_path / "elsewhere"), "PYTHONPATH": os.pathsep.join(sys.path)}
    said = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert said.stdout.startswith(str(tmp_path / "elsewhere"))
