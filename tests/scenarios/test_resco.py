import os
import shutil
from pathlib import Path

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios import resco as module
from sumo_gymnasium.scenarios.resco import MAPS, resco


@pytest.mark.parametrize("name", MAPS)
def test_resco__reads_each_map_from_the_installed_package(name: str) -> None:
    scenario = resco(name)
    assert Path(scenario.net_file).is_file()
    assert Path(scenario.route_files[0]).is_file()
    assert scenario.end == scenario.begin + 3600
    assert scenario.name == f"resco-{name}"


@pytest.mark.parametrize(("name", "begin"), [("cologne8", 25200), ("ingolstadt7", 57600), ("grid4x4", 0)])
def test_resco__window_is_the_published_one(name: str, begin: float) -> None:
    assert resco(name).begin == begin


def test_resco__from_a_folder(tmp_path: Path) -> None:
    copy(tmp_path)
    assert resco("cologne1", folder=str(tmp_path)).net_file == str(tmp_path / "cologne1" / "cologne1.net.xml")


@pytest.mark.parametrize("file", ["cologne1.net.xml", "cologne1.rou.xml"])
def test_resco__names_the_file_that_differs(file: str, tmp_path: Path) -> None:
    copy(tmp_path)
    resco("cologne1", folder=str(tmp_path))
    with (tmp_path / "cologne1" / file).open("ab") as changed:
        changed.write(b"\n")
    with pytest.raises(ScenarioError, match=file):
        resco("cologne1", folder=str(tmp_path))


def test_resco__notices_a_change_that_keeps_the_size(tmp_path: Path) -> None:
    copy(tmp_path)
    scenario = resco("cologne1", folder=str(tmp_path))
    net = Path(scenario.net_file)
    net.write_bytes(net.read_bytes()[:-1] + b" ")
    os.utime(net, ns=(1, 1))
    with pytest.raises(ScenarioError, match="SHA-256"):
        resco("cologne1", folder=str(tmp_path))


def test_resco__says_how_to_get_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ScenarioError, match=r"pip install --no-deps sumo-rl==1\.4\.5"):
        resco("cologne1", folder=str(tmp_path))
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(ScenarioError, match=r"pip install --no-deps sumo-rl==1\.4\.5"):
        resco("cologne1")


def test_resco__suggests_the_map_that_was_meant() -> None:
    with pytest.raises(ValueError, match="no RESCO map 'cologne2'; did you mean 'cologne"):
        resco("cologne2")


def copy(folder: Path) -> None:
    shutil.copytree(Path(resco("cologne1").net_file).parent, folder / "cologne1")
