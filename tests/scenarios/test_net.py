import pickle
import shutil
from pathlib import Path

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.net import read_net
from tests.conftest import CASES

SQUARE = str(CASES / "06-peds-mixed-modes" / "a-scramble.net.xml")


def test_links__are_sorted_and_know_crossings() -> None:
    links = read_net(SQUARE).links["sq"]
    assert [link.index for link in links] == list(range(16))
    assert {link.index for link in links if link.crossing} == {12, 13, 14, 15}
    assert (links[0].origin, links[0].target, links[0].direction) == ("N_in_1", "W_out_1", "r")


def test_foes__are_the_files() -> None:
    foes = read_net(SQUARE).foes["sq"]
    of_link_0 = {high for low, high in foes if low == 0}
    assert of_link_0 == {4, 8, 12, 15}  # <request index="0" foes="1001000100010000"/>
    assert all(low < high for low, high in foes)


def test_read_net__parses_a_file_once_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "n.net.xml"
    shutil.copy(SQUARE, path)
    first = read_net(str(path))
    assert read_net(str(path)) is first
    path.write_text(path.read_text() + "\n")
    assert read_net(str(path)) is not first


def test_net__pickles() -> None:
    net = read_net(SQUARE)
    assert pickle.loads(pickle.dumps(net)) == net


def test_read_net__says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"gone\.net\.xml' is not accessible"):
        read_net("gone.net.xml")
    (tmp_path / "empty.net.xml").write_text('<net version="1.20"/>')
    with pytest.raises(ScenarioError, match="holds no edges; expected a network"):
        read_net(str(tmp_path / "empty.net.xml"))
