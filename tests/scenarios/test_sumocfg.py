import os
import shutil
from pathlib import Path

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.sumocfg import canonical, is_output, known_options, read_sumocfg, without_outputs
from sumo_gymnasium.scenarios.tools import run
from tests.conftest import CASES

DATA = Path(__file__).parents[1] / "data"
OUTPUTS = DATA / "accounts" / "outputs.sumocfg"


def write(folder: Path, inside: str) -> str:
    shutil.copy(DATA / "accounts" / "n.net.xml", folder)
    for name in ("a.rou.xml", "b c%41.rou.xml"):
        (folder / name).write_text("<routes/>")
    path = folder / "x.sumocfg"
    path.write_text(f"<configuration>{inside}</configuration>")
    return str(path)


def test_canonical__resolves_short_forms_and_synonyms() -> None:
    assert canonical(None, ["-W", "--srand", "3", "--summary=s.xml"]) == {
        "no-warnings": "true",
        "seed": "3",
        "summary-output": os.path.abspath("s.xml"),
    }


def test_canonical__option_wins_over_sumocfg() -> None:
    assert canonical(str(OUTPUTS), [])["end"] == "00:01:40"
    assert canonical(str(OUTPUTS), ["-e", "7"])["end"] == "7"


def test_canonical__unknown_option_gives_sumos_words() -> None:
    with pytest.raises(ScenarioError, match="No option with the name 'teleport-nevr' exists"):
        canonical(None, ["--teleport-nevr", "1"])
    with pytest.raises(ScenarioError, match="teleport-never"):
        canonical(str(CASES / "15-bad-inputs" / "14-unknown-option.sumocfg"), [])


def test_canonical__option_given_twice_is_refused() -> None:
    with pytest.raises(ScenarioError, match="already set"):
        canonical(None, ["--seed", "1", "--srand", "2"])


def test_canonical__help_is_no_option() -> None:
    with pytest.raises(ScenarioError, match="say something"):
        canonical(None, ["--help"])


def test_canonical__sees_a_changed_file(tmp_path: Path) -> None:
    path = write(tmp_path, "<time><end value='10'/></time>")
    assert canonical(path, [])["end"] == "10"
    write(tmp_path, "<time><end value='200'/></time>")
    assert canonical(path, [])["end"] == "200"


def test_canonical__result_may_be_changed() -> None:
    canonical(None, ["--seed", "3"]).clear()
    assert canonical(None, ["--seed", "3"]) == {"seed": "3"}


def test_canonical__paths_are_absolute_and_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHICH", "a")
    folder = tmp_path / "sp ace#ü%41"
    folder.mkdir()
    names = "${WHICH}.rou.xml, b%20c%2541.rou.xml,../d%20e.rou.xml,/f%20g.rou.xml"
    path = write(folder, f"<input><r value='{names}'/></input><output><fcd-output value='stdout'/></output>")
    settings = canonical(path, [])
    assert settings["route-files"].split(",") == [
        f"{folder}/a.rou.xml",
        f"{folder}/b c%41.rou.xml",
        f"{tmp_path}/d e.rou.xml",
        "/f g.rou.xml",
    ]
    assert settings["fcd-output"] == "stdout"


def test_canonical__percent_in_an_option_is_taken_literally() -> None:
    assert canonical(None, ["--net-file", "/b%20c d.net.xml"]) == {"net-file": "/b%20c d.net.xml"}


def test_canonical__same_files_as_sumo_opens(tmp_path: Path) -> None:
    folder = tmp_path / "sp ace#ü"  # SUMO itself would decode a % in the name of the folder
    folder.mkdir()
    path = write(
        folder, "<input><n value='n.net.xml'/><r value='b%20c%2541.rou.xml'/></input><time><end value='1'/></time>"
    )
    run("sumo", "-c", path)
    assert read_sumocfg(path).route_files == (f"{folder}/b c%41.rou.xml",)


def test_read_sumocfg__clock_times(tmp_path: Path) -> None:
    files = "<input><n value='n.net.xml'/><r value='a.rou.xml'/></input>"
    times = "<time><b value='07:00:00'/><end value='1:0:0:0'/><step-length value='0.5'/></time>"
    found = read_sumocfg(write(tmp_path, files + times))
    assert (found.begin, found.end, found.step_length) == (25200.0, 86400.0, 0.5)
    assert (found.net_file, found.route_files) == (str(tmp_path / "n.net.xml"), (str(tmp_path / "a.rou.xml"),))
    assert found.sumocfg == str(tmp_path / "x.sumocfg")


def test_read_sumocfg__without_times(tmp_path: Path) -> None:
    found = read_sumocfg(write(tmp_path, "<input><n value='n.net.xml'/></input><time><end value='-1'/></time>"))
    assert (found.begin, found.end, found.step_length) == (0.0, None, 1.0)
    assert found.route_files == found.additional_files == ()


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ("<input><n value='gone.net.xml'/></input>", "gone.net.xml' is not accessible"),
        ("<input><n value='n.net.xml'/><r value='a.rou.xml,gone.rou.xml'/></input>", "gone.rou.xml' is not accessible"),
        ("<input><n value='n.net.xml'/><a value='gone.add.xml'/></input>", "gone.add.xml' is not accessible"),
        ("<time><begin value='3'/></time>", "names no net-file"),
        ("<input><n value='n.net.xml'/></input><time><end value='soon'/></time>", "end='soon'"),
        ("<input><n value='n.net.xml'/>", "x.sumocfg"),
    ],
)
def test_read_sumocfg__wrong_file_is_named(tmp_path: Path, inside: str, words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        read_sumocfg(write(tmp_path, inside))


def test_read_sumocfg__missing_sumocfg(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"gone.sumocfg' is not accessible"):
        read_sumocfg(tmp_path / "gone.sumocfg")


@pytest.mark.parametrize(
    "name",
    [
        *("fcd-output", "netstate-dump", "save-state.prefix", "save-state.files", "vtk-output", "statistic-output"),
        *("device.ssm.file", "device.toc.file", "device.rerouting.output", "device.taxi.idle-algorithm.output"),
        *("log", "error-log", "pedestrian.jupedsim.wkt"),
    ],
)
def test_is_output__what_writes(name: str) -> None:
    assert is_output(name)


@pytest.mark.parametrize(
    "name",
    [
        *("net-file", "load-state", "fcd-output.filter-edges.input-file", "device.ssm.filter-edges.input-file"),
        *("device.fcd-replay.files", "astar.all-distances", "phemlight-path", "gui-settings-file"),
        *("output-prefix", "fcd-output.geo", "seed"),
    ],
)
def test_is_output__what_does_not(name: str) -> None:
    assert name in known_options()
    assert not is_output(name)


def test_without_outputs__takes_what_shapes_them_too() -> None:
    settings = dict.fromkeys(
        ("vehroute-output.exit-times", "save-state.times", "fcd-output.geo", "end", "device.ssm.range"), "1"
    )
    assert list(without_outputs(settings)) == ["end", "device.ssm.range"]
