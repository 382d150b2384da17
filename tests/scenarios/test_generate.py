import re
from pathlib import Path

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios import tools
from sumo_gymnasium.scenarios.cache import FOLDER
from sumo_gymnasium.scenarios.generate import converted, generated, netconvert, netgenerate, random_network
from sumo_gymnasium.scenarios.scenario import Scenario


def programs(scenario: Scenario) -> list[str]:
    return re.findall(r'<tlLogic id="[^"]*" type="(\w+)"', Path(scenario.net_file).read_text())


def simulate(scenario: Scenario) -> str:
    files = ["-n", scenario.net_file, "-r", *scenario.route_files, "--end", str(scenario.end)]
    return tools.run("sumo", *files, "--no-step-log", "--no-warnings", "--duration-log.statistics")


def test_netgenerate__same_bytes_wherever_it_is_built(tmp_path: Path) -> None:
    (tmp_path / "other folder").mkdir()
    first = netgenerate(tmp_path / "a.net.xml", "--grid", "--grid.number=2")
    second = netgenerate(tmp_path / "other folder" / "b.net.xml", "--grid", "--grid.number=2")
    assert first.read_bytes() == second.read_bytes()
    assert b"generated on" not in first.read_bytes()


def test_netconvert__builds_from_plain_files(tmp_path: Path) -> None:
    nodes, edges = tmp_path / "a.nod.xml", tmp_path / "a.edg.xml"
    nodes.write_text('<nodes><node id="a" x="0" y="0"/><node id="b" x="100" y="0"/></nodes>')
    edges.write_text('<edges><edge id="ab" from="a" to="b" numLanes="3"/></edges>')
    net = netconvert(tmp_path / "a.net.xml", nodes=nodes, edges=edges)
    assert 'id="ab_2"' in net.read_text()


def test_netconvert__says_what_it_was_told_when_it_fails(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"missing\.nod\.xml"):
        netconvert(tmp_path / "a.net.xml", nodes=tmp_path / "missing.nod.xml", edges=tmp_path / "missing.edg.xml")


def test_kept_network__is_built_once_for_its_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    plain = {
        "nodes": '<nodes><node id="a" x="0" y="0"/><node id="b" x="100" y="0"/></nodes>',
        "edges": '<edges><edge id="ab" from="a" to="b"/></edges>',
    }
    assert 'id="ab_0"' in Path(converted("kept", plain)).read_text("utf-8")
    assert converted("kept", plain, ["--default.lanenumber=2"]) != converted("kept", plain)
    path = generated("kept", "--grid", "--grid.number=2")
    monkeypatch.setattr(tools, "binary", lambda program: "there is no such program")
    assert generated("kept", "--grid", "--grid.number=2") == path
    assert Path(converted("kept", plain)).is_file()


def test_random_network__same_seed_same_files(tmp_path: Path) -> None:
    first, second = random_network(tmp_path / "a", 4), random_network(tmp_path / "b", 4)
    for one, other in ((first.net_file, second.net_file), (first.route_files[0], second.route_files[0])):
        assert Path(one).read_bytes() == Path(other).read_bytes()


@pytest.mark.parametrize("seed", [3, 7, 12, 14])
def test_random_network__sumo_drives_it(seed: int, tmp_path: Path) -> None:
    scenario = random_network(tmp_path, seed, end=120)
    inserted = re.search(r"Vehicles:\s+Inserted: (\d+)", simulate(scenario))
    assert inserted
    assert int(inserted[1]) > 10


def test_random_network__many_kinds_of_signal_and_crossing(tmp_path: Path) -> None:
    scenarios = [random_network(tmp_path, seed) for seed in range(8)]
    assert all(programs(scenario) for scenario in scenarios)
    assert {"static", "actuated", "delay_based", "NEMA"} == {kind for one in scenarios for kind in programs(one)}
    assert 0 < sum('function="crossing"' in Path(one.net_file).read_text() for one in scenarios) < len(scenarios)


def test_random_network__flow_is_what_was_asked_for(tmp_path: Path) -> None:
    scenario = random_network(tmp_path, 0, flow=720)
    rates = re.findall(r"<flow .*exp\(([\d.]+)\)", Path(scenario.route_files[0]).read_text())
    assert sum(map(float, rates)) * 3600 == pytest.approx(720, rel=1e-3)
