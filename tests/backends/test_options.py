import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sumo_gymnasium.backends import BackendError
from sumo_gymnasium.backends.libsumo import Libsumo
from sumo_gymnasium.backends.options import (
    LOG,
    STATISTICS,
    TRIPINFO,
    command_line,
    diagnose,
    last_words,
    max_depart_delay,
)
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.sumocfg import read_sumocfg
from sumo_gymnasium.scenarios.tools import run
from tests.conftest import CASES

DATA = Path(__file__).parents[1] / "data"
BAD = CASES / "15-bad-inputs"
OURS = {TRIPINFO, STATISTICS, LOG}


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    """The user's folder, which must not change."""
    folder = tmp_path / "user" / "files"
    shutil.copytree(DATA / "accounts", folder)
    before = sorted(path for path in (tmp_path / "user").rglob("*"))
    working_directory = sorted(os.listdir())
    yield folder
    assert sorted(path for path in (tmp_path / "user").rglob("*")) == before
    assert sorted(os.listdir()) == working_directory


def episode(scenario: Scenario, config: SumoConfig, folder: Path) -> set[str]:
    """Simulate it in this process; the files that are there afterwards."""
    folder.mkdir()
    backend = Libsumo(command_line(scenario, config, str(folder), 7))
    try:
        while backend.simulation.getTime() < scenario.last:
            backend.step()
    finally:
        backend.close()
    return set(os.listdir(folder))


def rows(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if "<tripinfo " in line]


def crowded(**more: object) -> Scenario:
    data = DATA / "accounts"
    return Scenario(
        net_file=str(data / "n.net.xml"),
        route_files=(str(data / "crowded.rou.xml"),),
        end=100.0,
        **more,  # type: ignore[arg-type]
    )


def settings(config: SumoConfig, scenario: Scenario | None = None) -> dict[str, str]:
    options = command_line(scenario or crowded(), config, "somewhere", 7)
    return dict(zip(options[::2], options[1::2], strict=True))


def test_command_line__says_everything() -> None:
    said = settings(SumoConfig(time_to_teleport=90, waiting_time_memory=300, collision_action="none"))
    expected = {
        "--begin": "0",
        "--end": "100",
        "--step-length": "1",
        "--seed": "7",
        "--random": "false",
        "--time-to-teleport": "90",
        "--waiting-time-memory": "300",
        "--collision.action": "none",
    }
    assert expected.items() <= said.items()
    assert os.path.isabs(said["--tripinfo-output"])
    assert "--device.emissions.probability" not in said


def test_command_line__never_teleports_by_default() -> None:
    assert settings(SumoConfig())["--time-to-teleport"] == "-1"


def test_command_line__overrides_what_would_spoil_the_accounts(files: Path) -> None:
    said = settings(SumoConfig(), read_sumocfg(files / "outputs.sumocfg"))
    assert (said["--seed"], said["--random"], said["--time-to-teleport"]) == ("7", "false", "-1")
    spoiling = (
        "output-suffix human-readable-time output.format precision device.tripinfo.probability remote-port verbose"
    )
    assert not [name for name in spoiling.split() if f"--{name}" in said]


def test_command_line__same_accounts_as_plain_sumo(tmp_path: Path) -> None:
    inputs = ("-n", str(DATA / "accounts" / "n.net.xml"), "-r", str(DATA / "accounts" / "crowded.rou.xml"))
    shown = ("--tripinfo-output.write-unfinished", "--tripinfo-output.write-undeparted", "--seed", "7", "--end", "100")
    run("sumo", *inputs, *shown, "--time-to-teleport", "-1", "--tripinfo-output", str(tmp_path / "plain.xml"))
    episode(crowded(), SumoConfig(), tmp_path / "episode")
    assert rows(tmp_path / "episode" / TRIPINFO) == rows(tmp_path / "plain.xml")


def test_command_line__sumocfg_does_not_change_the_accounts(files: Path, tmp_path: Path) -> None:
    episode(crowded(), SumoConfig(), tmp_path / "bare")
    episode(read_sumocfg(files / "outputs.sumocfg"), SumoConfig(output_dir="given"), tmp_path / "episode")
    bare, spoilt = (
        [row.replace(" ssm_", "|").split("|")[0].split('" vType')[0] for row in rows(tmp_path / folder / TRIPINFO)]
        for folder in ("bare", "episode")
    )
    assert [row.split('" devices')[0] for row in spoilt] == [row.split('" devices')[0] for row in bare]


def test_command_line__outputs_of_options_are_left_out(
    files: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    wrote = episode(read_sumocfg(files / "outputs.sumocfg"), SumoConfig(), tmp_path / "an episode%41 ü#")
    assert wrote == OURS | {"e1.xml", "e2.xml", "edges.xml", "signals.xml"}
    assert capfd.readouterr().out == ""


def test_command_line__outputs_go_to_one_folder_if_asked_for(files: Path, tmp_path: Path) -> None:
    config = SumoConfig(output_dir="given", sumo_options=("--lanechange-output", str(tmp_path / "user" / "lanes.xml")))
    wrote = episode(read_sumocfg(files / "outputs.sumocfg"), config, tmp_path / "an episode%41 ü#")
    options = {"fcd.xml.gz", "queue-output-fcd.xml.gz", "routes.xml", "summary-output.xml", "lanes.xml"}
    assert options | {"vtk_0.vtp", "state_10.00.xml.gz", "e1.xml", "e2.xml", "signals.xml"} | OURS <= wrote
    assert "mine.xml" not in wrote


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--seed", "3"), r"sumo_options: 'seed' is set by this package; use reset\(seed=...\) instead"),
        (("--srand", "3"), "'seed' is set by this package"),
        (("-b", "3"), "'begin' is set by this package"),
        (("--collision.action=warn",), "use collision_action=… instead"),
        (("--human-readable-time",), "'human-readable-time' is set by this package; leave it out"),
        (("-H",), "'human-readable-time' is set by this package"),
        (("--tripinfo", "x.xml"), "use output_dir=…, and read its episode-tripinfo.xml instead"),
        (("--fcd-output", "x.xml"), "'fcd-output' writes a file; say where it goes by output_dir=…"),
    ],
)
def test_command_line__refuses_what_clashes(options: tuple[str, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        settings(SumoConfig(sumo_options=options))


def test_command_line__unknown_option_gives_sumos_words() -> None:
    with pytest.raises(ScenarioError, match="No option with the name 'nonsense' exists"):
        settings(SumoConfig(sumo_options=("--nonsense", "1")))


def test_command_line__passes_further_options_on() -> None:
    said = settings(SumoConfig(sumo_options=("--lateral-resolution", "0.8", "--device.emissions.probability", "0.5")))
    assert said["--lateral-resolution"] == "0.8"
    assert said["--device.emissions.probability"] == "0.5"


def test_command_line__emissions_are_for_all() -> None:
    assert settings(SumoConfig(emissions=True))["--device.emissions.probability"] == "1"
    with pytest.raises(ValueError, match="use emissions=… instead"):
        settings(SumoConfig(emissions=True, sumo_options=("--device.emissions.probability", "0.5")))


def test_command_line__folder_that_sumo_would_rename() -> None:
    with pytest.raises(ValueError, match="another name"):
        command_line(crowded(), SumoConfig(), "/data/RUNTIME/x", 7)


@pytest.mark.parametrize(("options", "delay"), [((), 0.0), (("--max-depart-delay", "0:5:0"), 300.0)])
def test_max_depart_delay__in_seconds(options: tuple[str, ...], delay: float) -> None:
    assert max_depart_delay(command_line(crowded(), SumoConfig(sumo_options=options), "x", 7)) == delay


GOOD = ("good.net.xml", "good.rou.xml")


@pytest.mark.parametrize(
    ("net", "routes", "additional", "words"),
    [
        (GOOD[0], "01-unknown-edge.rou.xml", (), "edge 'nowhere'"),
        (GOOD[0], "03-duplicate-id.rou.xml", (), "already exists"),
        (GOOD[0], "04-malformed.rou.xml", (), "expected end of tag"),
        (GOOD[0], "05-unknown-type.rou.xml", (), "hovercraft"),
        (GOOD[0], "06-zero-bytes.rou.xml", (), "invalid document structure"),
        ("07-truncated.net.xml", GOOD[1], (), "unexpected end of input"),
        ("08-short-state.net.xml", GOOD[1], (), "linkIndex"),
        ("09-bad-letter.net.xml", GOOD[1], (), "Illegal character"),
        ("10-routes-as-net.net.xml", GOOD[0], (), "is not known"),
        (*GOOD, ("11-bad-detector.add.xml",), "ghost_0"),
        (GOOD[0], "15-bad-depart.rou.xml", (), "Invalid departure time"),
    ],
)
def test_diagnose__failed_start_gives_sumos_words(
    tmp_path: Path, net: str, routes: str, additional: tuple[str, ...], words: str
) -> None:
    files = {"net_file": str(BAD / net), "route_files": str(BAD / routes)}
    scenario = Scenario(**files, additional_files=tuple(str(BAD / name) for name in additional), end=120)  # type: ignore[arg-type]
    options = command_line(scenario, SumoConfig(), str(tmp_path), 1)
    with pytest.raises(BackendError) as failed:
        Libsumo(options)
    assert words in diagnose(options, str(failed.value))


def test_diagnose__keeps_what_was_said_if_the_inputs_load(tmp_path: Path) -> None:
    assert diagnose(command_line(crowded(), SumoConfig(), str(tmp_path), 1), "port taken") == "port taken"


def test_last_words__repeated_warning_once_with_its_number(tmp_path: Path) -> None:
    episode(read_sumocfg(CASES / "11-begin-unsorted" / "b.sumocfg"), SumoConfig(), tmp_path / "episode")
    first, total = last_words(tmp_path / "episode")
    assert first.startswith("Warning: Route file should be sorted by departure time, ignoring 'v")
    assert "297 total messages of type: Route file should be sorted" in total


def test_last_words__error_over_several_lines(tmp_path: Path) -> None:
    (tmp_path / LOG).write_text(
        "Warning: one,\n two\nError: bad\n In file 'x'\nQuitting (on error).\nWarning: one,\n two\n"
    )
    assert last_words(tmp_path) == ["Warning: one, two", "Error: bad In file 'x' Quitting (on error)."]


def test_last_words__nothing_said(tmp_path: Path) -> None:
    assert last_words(tmp_path) == []
