import re
from pathlib import Path

import numpy as np

from sumo_gymnasium.scenarios import tools
from sumo_gymnasium.scenarios.net import read_net
from sumo_gymnasium.scenarios.registry import scenario_of


def test_signals__rule_crossings_on_all_sides() -> None:
    net = read_net(scenario_of("pedestrians").net_file)
    assert {sum(link.crossing for link in links) for links in net.links.values()} == {4}


def test_people__walk_to_where_they_want(tmp_path: Path) -> None:
    found = scenario_of("pedestrians").episode(np.random.default_rng(1), str(tmp_path), {})
    files = ["-n", found.net_file, "-r", ",".join(found.route_files), "--end", "900"]
    said = tools.run("sumo", *files, "--duration-log.statistics", "--no-step-log")
    inserted = re.search(r"Persons:\s+Inserted: (\d+)", said)
    walked = re.search(r"avg of (\d+) walks", said)
    assert inserted
    assert walked
    assert int(inserted[1]) > 100
    assert int(walked[1]) > 50


def test_walks__follow_the_demand_scale(tmp_path: Path) -> None:
    counts = []
    for scale in (0.5, 2):
        scenario = scenario_of("pedestrians")
        found = scenario.episode(np.random.default_rng(1), str(tmp_path), {"demand_scale": scale})
        counts.append(Path(found.route_files[1]).read_text().count("<person "))
    assert counts[1] > 3 * counts[0]
