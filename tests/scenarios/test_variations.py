import pickle
from pathlib import Path

import numpy as np

from sumo_gymnasium.scenarios.demand import RandomDemand
from sumo_gymnasium.scenarios.incident import Incident
from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.scenarios.variations import Together

BOTH = Together((RandomDemand(flow=500), Incident()))


def test_together__has_the_options_of_all_and_pickles() -> None:
    assert BOTH.options == ("demand_scale", "profile", "incident")
    assert pickle.loads(pickle.dumps(BOTH)) == BOTH


def test_together__fixing_one_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    net = scenario_of("grid")
    drawn = []
    for place, options in enumerate(({}, {"incident": None}, {"incident": {"begin": 100}}, {"demand_scale": 2})):
        (tmp_path / str(place)).mkdir()
        found = BOTH(net, np.random.default_rng(1), str(tmp_path / str(place)), options)
        drawn.append([Path(file).read_text() for file in found.route_files])
    assert drawn[0][:1] == drawn[1] == drawn[2][:1]
    assert drawn[0][1] != drawn[2][1]
    assert drawn[0][1] == drawn[3][1]
