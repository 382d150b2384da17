import os
import signal
from pathlib import Path
from typing import Any

import pytest

from sumo_gymnasium.evaluation import Comparison, EpisodeResult, Result, compare, evaluate
from sumo_gymnasium.kernels.kernel import Kernel
from tests.conftest import SMALL

KPIS: dict[str, Any] = {
    "due": {"delay": 10.0},
    "inserted": {"travel_time": 60.0, "waiting_time": 5.0, "stops": 1.0},
    "throughput": 900.0,
    "gridlock": False,
}


def first(kernel: Kernel, agent: str) -> int:
    return 0


def result(policy: str, *delays: float | None) -> Result:
    episodes = [
        EpisodeResult(seed=seed, error="SimulationCrashed: gone")
        if delay is None
        else EpisodeResult(seed=seed, kpis={**KPIS, "due": {"delay": delay}, "gridlock": delay > 100})
        for seed, delay in enumerate(delays)
    ]
    return Result(policy=policy, scenario="s", sumo_version="1", package_version="1", episodes=tuple(episodes))


def test_table__tells_mean_median_interval_gridlocks_and_crashes() -> None:
    comparison = Comparison((result("a", 10.0, 12.0, 200.0), result("b", 20.0, None, None), result("c", None)))
    head, *lines = comparison.table().splitlines()
    assert head.split() == ["measure", "policy", "mean", "median", "95", "%", "CI", "episodes", "gridlocks", "crashed"]
    delays = [line.split("due")[1].split() for line in lines if line.startswith("delay")]
    assert delays == [
        ["a", "74.00", "12.00", "-197.08", "…", "345.08", "3", "1", "0"],
        ["b", "20.00", "20.00", "–", "3", "0", "2"],
        ["c", "–", "–", "–", "1", "0", "1"],
    ]
    assert lines[-3:] == [
        "b, seed 1: SimulationCrashed: gone",
        "b, seed 2: SimulationCrashed: gone",
        "c, seed 0: SimulationCrashed: gone",
    ]
    assert comparison.crashed == 3


def test_json__round_trip_and_rows() -> None:
    comparison = Comparison((result("a", 1.0), result("b", 2.0, None)))
    assert Comparison.from_json(comparison.to_json()) == comparison
    assert [(row["policy"], row["seed"]) for row in comparison.rows()] == [("a", 0), ("b", 0), ("b", 1)]
    assert comparison.to_csv().count("\n") == 4
    assert comparison["b"].seeds == (0, 1)
    with pytest.raises(KeyError, match="no policy 'c'"):
        comparison["c"]
    with pytest.raises(ValueError, match=r"no comparison; expected what Comparison.to_json\(\) writes"):
        Comparison.from_json("{}")


@pytest.mark.parametrize("processes", [1, 2])
def test_compare__gives_what_evaluate_gives_and_tells_of_crashes(
    processes: int, capfd: pytest.CaptureFixture[str]
) -> None:
    alone = evaluate(first, SMALL, [1, 2], end=60)
    doomed = alone.episodes[1].sumo_seed

    def deadly(kernel: Kernel, agent: str) -> int:
        if kernel._seed == doomed:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    def wrong(observation: Any) -> int:
        raise ZeroDivisionError("mine")

    policies = {"first": first, "deadly": deadly, "wrong": wrong}
    comparison = compare(policies, SMALL, [1, 2], end=60, processes=processes)
    ours, killed, raised = comparison.results
    assert ours.episodes == alone.episodes
    assert killed.episodes[0] == alone.episodes[0]
    assert str(killed.episodes[1].error).startswith("SimulationCrashed: ")
    assert [episode.error for episode in raised.episodes] == ["ZeroDivisionError: mine"] * 2
    assert (ours.policy, killed.policy, raised.policy) == ("first", "deadly", "wrong")
    assert "6/6" in capfd.readouterr().err


def test_process_that_dies__costs_its_own_episode_only() -> None:
    def deadly(observation: Any) -> int:
        os._exit(3)  # in the process of the job, not of the simulation

    comparison = compare({"deadly": deadly, "first": first}, SMALL, [1, 2], end=60, processes=2, progress=False)
    assert all("BrokenProcessPool" in str(episode.error) for episode in comparison["deadly"].episodes)
    assert comparison["first"].crashed == ()


def test_sb3_model__crosses_to_other_processes() -> None:
    stable_baselines3 = pytest.importorskip("stable_baselines3")
    model = stable_baselines3.PPO("MlpPolicy", "SumoTrafficLight-v0", n_steps=4, batch_size=4, device="cpu")
    settings: dict[str, Any] = {"scenario": "intersection-uniform", "end": 60}
    alone = evaluate(model, "SumoTrafficLight-v0", [1, 2], **settings)
    together = compare([model], "SumoTrafficLight-v0", [1, 2], processes=2, progress=False, **settings)
    assert together["PPO"].episodes == alone.episodes


@pytest.mark.parametrize(
    ("policies", "settings", "error", "message"),
    [
        ([first, first], {}, ValueError, "expected different names"),
        ([], {}, TypeError, "expected a list of policies"),
        ("greedy", {}, TypeError, "expected a list of policies"),
        (["gredy"], {}, ValueError, "no controller 'gredy'; did you mean 'greedy'"),
        ([first], {"processes": 0}, ValueError, "processes=0: expected"),
        ([first], {"delta_time": 5}, TypeError, "here it is: decision_interval"),
    ],
)
def test_wrong_argument__is_told_before_anything_runs(
    policies: Any, settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        compare(policies, SMALL, [1], progress=False, **settings)


def test_plot__draws_each_policy(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "new" / "boxes.png"
    Comparison((result("a", 10.0, 12.0), result("b", 20.0, None), result("c", None))).plot(path)
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="no episode ended as it should"):
        Comparison((result("c", None),)).plot(path)
