import pickle
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.drivers import DRIVERS, Drivers, known_attributes


def types_of(drivers: Drivers) -> dict[str, dict[str, str]]:
    root = ElementTree.fromstring(f"<routes>{drivers.lines()}</routes>")
    return {kind.get("id", ""): {**kind.attrib} for kind in root}


def test_human_and_agent__drive_alike_if_nothing_is_said() -> None:
    human, agent = types_of(Drivers()).values()
    assert human["carFollowModel"] == "IDM"
    assert {**agent, "id": "human"} == human


def test_types__are_like_human_but_for_what_is_theirs() -> None:
    drivers = Drivers(
        driver="Krauss",
        types={"human": {"tau": 1.5}, "agent": "EIDM", "truck": {"length": 12}},
        placement="agent truck",
    )
    types = types_of(drivers)
    assert [types[name]["carFollowModel"] for name in ("human", "agent", "truck")] == ["Krauss", "EIDM", "Krauss"]
    assert [types[name]["tau"] for name in ("human", "agent", "truck")] == ["1.5", "1", "1.5"]
    assert types["truck"]["length"] == "12"


def test_drivers__name_attributes_that_sumo_knows() -> None:
    assert [key for driver in DRIVERS.values() for key in driver if key not in known_attributes()] == []


def test_penetration__is_drawn_and_fixed_by_the_option() -> None:
    drivers = Drivers(penetration=(0.0, 1.0), placement="random")
    counts = [drivers.mixed([100], np.random.default_rng(seed), {})[0].count("agent") for seed in range(5)]
    assert len(set(counts)) == 5
    assert drivers.mixed([100], np.random.default_rng(1), {"penetration": 0.5})[0].count("agent") == 50


def test_placements__of_several_one_is_drawn() -> None:
    drivers = Drivers(placement=["agent human", "human agent"])
    drawn = {drivers.coming([2], np.random.default_rng(seed), {})[0] for seed in range(10)}
    assert drawn == {("agent", "human"), ("human", "agent")}


def test_drivers__can_be_pickled() -> None:
    drivers = Drivers(types={"agent": {"tau": 2}})
    assert pickle.loads(pickle.dumps(drivers)) == drivers


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"driver": "IDMM"}, "no driver 'IDMM'; did you mean 'IDM'"),
        ({"driver": {}}, "no driver"),
        ({"types": "IDM"}, "types='IDM': expected a mapping"),
        ({"types": {"agent": "Kraus"}}, "no driver 'Kraus'; did you mean 'Krauss'"),
        ({"types": {"agent": 5}}, "types=.*expected a mapping"),
        ({"types": {"agent": {"acel": 2}}}, "no attribute of the type 'agent' 'acel'; did you mean 'accel'"),
        ({"types": {"agent": {"accel": None}}}, "accel=None of 'agent': expected a number or a string"),
        ({"types": {5: {}}}, "5 is no name of a type"),
        ({"penetration": 1.5}, "penetration=1.5: expected a number, 0 to 1"),
        ({"placement": "evn"}, "placement='evn': no type 'evn'"),
        ({"placement": "agent human*5 truck"}, "no type 'truck'. There are: human, agent"),
        ({"placement": 3}, "placement=3: expected 'even', 'random', a platoon string, or several"),
        ({"placement": []}, r"placement=\[\]"),
    ],
)
def test_wrong_drivers__are_said(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        Drivers(**wrong)
