"""The pages about vehicles agree with the code, and their examples run."""

import re
from typing import Any

import pytest

from sumo_gymnasium.actions.vehicle import VEHICLE_ACTIONS
from sumo_gymnasium.controllers import action_of
from sumo_gymnasium.controllers.vehicles import VEHICLE_CONTROLLERS
from sumo_gymnasium.metrics.vehicle import VEHICLE_METRICS
from sumo_gymnasium.observations import VEHICLE_OBSERVATIONS
from sumo_gymnasium.rewards import VEHICLE_REWARDS
from sumo_gymnasium.terminations import TERMINATIONS
from sumo_gymnasium.testing.fake_vehicles import FakeRoad, FakeVehicle, fake_vehicles
from tests.test_docs import blocks, page, rows, terms

PAGES = ("observations", "actions", "rewards", "controllers")


@pytest.mark.parametrize(
    ("name", "tables"),
    [
        ("observations", [VEHICLE_OBSERVATIONS]),
        ("actions", [VEHICLE_ACTIONS]),
        ("rewards", [VEHICLE_REWARDS, VEHICLE_METRICS, TERMINATIONS]),
        ("controllers", [VEHICLE_CONTROLLERS]),
    ],
)
def test_page__lists_every_name_and_no_other(name: str, tables: list[dict[str, Any]]) -> None:
    assert terms(page(f"docs/vehicle_{name}.md")) == {term for table in tables for term in table}


@pytest.mark.parametrize("name", PAGES)
def test_page__has_examples_that_run(name: str) -> None:
    for block in blocks(page(f"docs/vehicle_{name}.md")):
        exec(block, {})


@pytest.mark.parametrize(("name", "table"), [("observations", VEHICLE_OBSERVATIONS), ("actions", VEHICLE_ACTIONS)])
def test_page__gives_the_shapes(name: str, table: dict[str, Any]) -> None:
    kernel = fake_vehicles({"a": FakeVehicle()}, {"e": FakeRoad(lanes=3)})
    known = {"lanes": "3", "segments": "3"}
    for first, space, *_ in rows(page(f"docs/vehicle_{name}.md")):
        shape = re.search(r"\(([\w, ]+?),?\)\)`$", space)
        if shape:
            numbers = tuple(int(known.get(word, word)) for word in shape[1].split(", "))
            for term in re.findall(r"`(\w+)`", first):
                assert table[term].space(kernel, "a").shape == numbers, term


def test_controllers__gives_their_actions() -> None:
    given = {row[0].strip("`"): row[1].strip("`") for row in rows(page("docs/vehicle_controllers.md"))}
    assert {name: given[name] for name in VEHICLE_CONTROLLERS} == {
        name: action_of(controller) for name, controller in VEHICLE_CONTROLLERS.items()
    }
