import re
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios import tools
from sumo_gymnasium.scenarios.arterial import CYCLE, DISTANCES, GREENS, offsets
from sumo_gymnasium.scenarios.net import read_net
from sumo_gymnasium.scenarios.programs import active_programs
from sumo_gymnasium.scenarios.registry import scenario_of


def test_offsets__are_distance_over_speed() -> None:
    assert list(offsets("east", 14.0).values()) == [0, 21, 37, 64, 3, 27]  # 83 and 107 s are one cycle more
    assert list(offsets("none", 14.0).values()) == [0] * 6
    assert offsets("west", 14.0)["J6"] == 0
    assert offsets("west", 14.0)["J1"] == round(sum(DISTANCES) / 14.0) % CYCLE


def test_programs__have_the_offsets_and_one_cycle() -> None:
    programs = active_programs(scenario_of("arterial").net_file)
    assert {signal: program.offset for signal, program in programs.items()} == offsets("east", 14.0)
    assert {sum(program.durations) for program in programs.values()} == {CYCLE}


def test_greens__are_of_the_arterial_first_and_never_of_foes() -> None:
    net = read_net(scenario_of("arterial").net_file)
    for signal, links in net.links.items():
        main = {link.index for link in links if not re.search("north|south", link.origin)}
        assert all((letter != "r") == (index in main) for index, letter in enumerate(GREENS[0][0]))
        for state, _ in GREENS:
            assert not [pair for pair in net.foes[signal] if state[pair[0]] == state[pair[1]] == "G"]


def test_wave__carries_those_who_drive_with_it(tmp_path: Path) -> None:
    losses = {wave: eastbound_loss(wave, tmp_path) for wave in ("east", "none")}
    assert losses["east"] < losses["none"] / 2


def eastbound_loss(wave: str, folder: Path) -> float:
    scenario = scenario_of({"name": "arterial", "wave": wave})
    found = scenario.episode(np.random.default_rng(1), str(folder), {})
    trips = folder / "trips.xml"
    files = ["-n", found.net_file, "-r", ",".join(found.route_files), "--end", "1200"]
    tools.run("sumo", *files, "--tripinfo-output", str(trips), "--no-step-log", "--no-warnings")
    pattern = r'departLane="J1_west_J1_.*?arrivalLane="J6_J6_east_.*?timeLoss="([^"]*)"'
    return mean(float(loss) for loss in re.findall(pattern, trips.read_text()))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [({"wave": "both"}, "wave='both': expected one of east, west, none"), ({"wave_speed": 0}, "wave_speed=0")],
)
def test_wrong_wave__is_said(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_of({"name": "arterial", **wrong})
