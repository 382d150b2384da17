import csv
import io
import json

import pytest

from sumo_gymnasium.evaluation import EpisodeResult, Input, Result


def episode(seed: int, delay: float, gridlock: bool = False) -> EpisodeResult:
    kpis = {"due": {"delay": delay, "vehicles": 9}, "throughput": 360.0, "gridlock": gridlock}
    return EpisodeResult(seed=seed, sumo_seed=77, kpis=kpis, reward=-3.5, decisions=24, metrics={"queue_length": 2.5})


RESULT = Result(
    policy="greedy",
    scenario="crossing",
    settings={"decision_interval": 5.0, "action": "phase", "sumo_options": ["--scale", "2"]},
    inputs=(Input("net", "a.net.xml", "aa"), Input("route", "b.rou.xml", "bb"), Input("route", "c.rou.xml", "cc")),
    sumo_version="1.28.0",
    package_version="0.1.0",
    episodes=(
        episode(1, 10.0),
        EpisodeResult(seed=2, error="SimulationCrashed: gone"),
        episode(3, 40.0, gridlock=True),
    ),
)


def test_json__round_trip() -> None:
    assert Result.from_json(RESULT.to_json()) == RESULT


@pytest.mark.parametrize("text", ["{}", "[]", '{"policy": "greedy"}', "nothing"])
def test_json__of_something_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected what Result.to_json\(\) writes|Expecting value"):
        Result.from_json(text)


def test_json__names_the_kind_of_each_file() -> None:
    assert json.loads(RESULT.to_json())["inputs"][0] == {"kind": "net", "file": "a.net.xml", "sha256": "aa"}


def test_rows__are_flat_and_tell_what_was_measured_on_what() -> None:
    first, crashed, _ = RESULT.rows()
    assert first == {
        "policy": "greedy",
        "scenario": "crossing",
        "seed": 1,
        "sumo_seed": 77,
        "error": None,
        "reward": -3.5,
        "decisions": 24,
        "due_delay": 10.0,
        "due_vehicles": 9,
        "throughput": 360.0,
        "gridlock": False,
        "mean_queue_length": 2.5,
        "sumo_version": "1.28.0",
        "package_version": "0.1.0",
        "net_sha256": "aa",
        "route_sha256": "bb cc",
    }
    assert crashed["error"] == "SimulationCrashed: gone"
    assert "due_delay" not in crashed


def test_rows__number_the_parts_of_a_vector_reward() -> None:
    row = EpisodeResult(seed=1, reward=[1.0, -2.0]).row()
    assert (row["reward_0"], row["reward_1"]) == (1.0, -2.0)


def test_csv__has_a_line_an_episode_and_empty_cells_for_the_crashed() -> None:
    rows = list(csv.DictReader(io.StringIO(RESULT.to_csv())))
    assert [row["seed"] for row in rows] == ["1", "2", "3"]
    assert [row["due_delay"] for row in rows] == ["10.0", "", "40.0"]
    assert [row["net_sha256"] for row in rows] == ["aa"] * 3


def test_summary__counts_crashes_and_gridlocks_apart() -> None:
    assert RESULT.values("due_delay") == (10.0, 40.0)
    summary = RESULT.summary("due_delay")
    assert summary is not None
    assert (summary.count, summary.mean) == (2, 25.0)
    assert RESULT.gridlocks == 1
    assert [crash.seed for crash in RESULT.crashed] == [2]
    assert RESULT.seeds == (1, 2, 3)


def test_values__of_an_unknown_measure_names_those_that_there_are() -> None:
    with pytest.raises(ValueError, match=r"no measure 'delay'. There are: .*due_delay"):
        RESULT.values("delay")
