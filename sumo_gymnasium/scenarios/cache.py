"""Files made once and kept: a folder for each set of inputs, safe to ask for from many processes at a time."""

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

FOLDER = "SUMO_GYMNASIUM_CACHE"


def made(name: str, inputs: Any, make: Callable[[Path], object]) -> Path:
    """The folder that `make` filled from `inputs`, now or in an earlier call, in this process or in another.

    It is filled under another name and then renamed, so that nobody sees it half-written; of several processes that
    fill it at a time, one wins.

    Args:
        name: what the folder's name begins with.
        inputs: JSON; all that the files depend on, but for SUMO's version, which always counts.
        make: fills an empty folder.
    """
    key = json.dumps([version("eclipse-sumo"), inputs], sort_keys=True)
    folder = cache_folder() / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    if folder.is_dir():
        return folder
    building = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=folder.parent))
    try:
        make(building)
        _rename(building, folder)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return folder


def cache_folder() -> Path:
    """Where such folders are kept: $SUMO_GYMNASIUM_CACHE, else the user's cache, else where temporary files go."""
    given = os.environ.get(FOLDER)
    if given:
        return _writable(Path(given).absolute())
    try:
        return _writable(_users_cache() / "sumo_gymnasium")
    except (OSError, RuntimeError):  # a home that is read-only, or none
        return _writable(Path(tempfile.gettempdir()) / f"sumo_gymnasium-{_user()}")


def _users_cache() -> Path:
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _writable(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()
    return folder


def _rename(building: Path, folder: Path) -> None:
    try:
        os.replace(building, folder)
    except OSError:
        if not folder.is_dir():  # else another process was first, with the same files
            raise
