"""Files made once and kept: a folder for each set of inputs, safe to ask for from many processes at a time."""

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sumo_gymnasium.errors import ScenarioError

FOLDER = "SUMO_GYMNASIUM_CACHE"
CONTENTS = ".contents.json"  # in each folder: the size of every file


def made(name: str, inputs: Any, make: Callable[[Path], object]) -> Path:
    """The folder that `make` filled from `inputs`, now or in an earlier call, in this process or in another.

    It is filled under another name and then renamed, so that nobody sees it half-written; of several processes that
    fill it at a time, one wins. One of which files are gone or cut short is filled again. Only to fill it must the
    cache be writable.

    Args:
        name: what the folder's name begins with.
        inputs: JSON; all that the files depend on, but for SUMO's version, which always counts.
        make: fills an empty folder, the same inputs with the same bytes.

    Raises:
        ScenarioError: it is not there, and can be kept nowhere.
    """
    key = json.dumps([version("eclipse-sumo"), inputs], sort_keys=True)
    entry = f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    failed = list[str]()
    for place in _places():
        if _whole(place / entry):
            return place / entry
        try:
            return _filled(place / entry, make)
        except OSError as error:  # a home that is read-only, say: the next place may do
            failed.append(f"'{place}' ({error.strerror or error})")
    raise ScenarioError(
        f"${FOLDER}={os.environ.get(FOLDER)!r}: cannot keep {entry!r} in {', '.join(failed)}; expected a folder that "
        "can be written or made"
    )


def _places() -> Iterator[Path]:
    """Where to look: $SUMO_GYMNASIUM_CACHE, else the user's cache, else where temporary files go."""
    given = os.environ.get(FOLDER)
    if given:
        yield Path(given).absolute()
        return
    with suppress(RuntimeError):  # no home
        yield _users_cache() / "sumo_gymnasium"
    yield Path(tempfile.gettempdir()) / f"sumo_gymnasium-{_user()}"


def _users_cache() -> Path:
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _whole(folder: Path) -> bool:
    """Whether all files are there as they were made: cleaners delete old ones, a full disk leaves empty ones."""
    try:
        sizes = json.loads((folder / CONTENTS).read_text("utf-8"))
        return all((folder / file).stat().st_size == size for file, size in sizes.items())
    except (OSError, ValueError):
        return False


def _filled(folder: Path, make: Callable[[Path], object]) -> Path:
    folder.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        inner = building / "made"  # mkdtemp's own folder is for this user only, whatever the umask says
        inner.mkdir()
        make(inner)
        sizes = {file: (inner / file).stat().st_size for file in _files(inner)}
        (inner / CONTENTS).write_text(json.dumps(sizes), "utf-8")
        _put(inner, folder)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return folder


def _put(inner: Path, folder: Path) -> None:
    try:
        os.replace(inner, folder)
    except OSError:
        if not folder.is_dir():
            raise
        if not _whole(folder):  # else another process was first, with the same files
            _mend(inner, folder)


def _mend(inner: Path, folder: Path) -> None:
    """File by file, since others may be reading those that are whole."""
    for file in [*_files(inner), CONTENTS]:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        os.replace(inner / file, folder / file)


def _files(folder: Path) -> list[str]:
    files = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(file for file in files if file != CONTENTS)
