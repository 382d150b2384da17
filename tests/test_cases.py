"""The small files that other packages stumble over: each one's README says what must happen."""

import json
import logging
import time
import warnings
from collections.abc import Iterator
from typing import Any

import libsumo
import numpy as np
import pytest

from sumo_gymnasium.errors import ScenarioError, SimulationCrashed, SumoGymnasiumError
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.testing.checks import SignalWatch
from tests.conftest import CASES, Make, children

ROWS = json.loads((CASES / "scenarios.json").read_text())
RUNS = [row for row in ROWS if row["expect"] == "ok"]
FAULTS = [row for row in ROWS if row["expect"] != "ok"]
NO_SIGNAL = "a-no-signal"
LARGE = "grid324"
STEP_2 = "f-step-2.0"
LATE = ("02", "12", "16")  # SUMO meets these only while it runs


def scenario(row: dict[str, Any]) -> Any:
    folder = CASES / row["case"]
    if row["cfg"]:
        return str(folder / row["cfg"])
    files = {"net_file": row["net"], "route_files": row["route"], "additional_files": row["additional"]}
    return {key: str(folder / name) for key, name in files.items() if name}


def named(name: str) -> dict[str, Any]:
    (row,) = (row for row in ROWS if row["id"] == name)
    return dict(row)


def controllable(row: dict[str, Any]) -> Iterator[str]:
    for signal in row["signals"]:
        if any(letter in "Gg" for state in signal["phases"] for letter in state):
            yield signal["id"]


def case_id(row: dict[str, Any]) -> str:
    return f"{row['case'][:2]}-{row['id']}"


def settings(row: dict[str, Any]) -> dict[str, Any]:
    given = {"begin": row["begin"], "end": row["end"]}
    if row["id"] == STEP_2:
        given |= {"decision_interval": 6, "min_green": 6, "yellow": 4}
    return given


@pytest.mark.parametrize("backend", ["libsumo", "traci"])
@pytest.mark.parametrize("row", [row for row in RUNS if row["id"] not in (NO_SIGNAL, LARGE)], ids=case_id)
def test_case__runs_to_its_end_and_keeps_the_invariants(row: dict[str, Any], backend: str, make: Make) -> None:
    for signal in controllable(row):
        watched = SignalWatch(signal)
        env = make(scenario(row), signal=signal, backend=backend, hooks=[watched], **settings(row))
        observation, info = env.reset(seed=1)
        assert info["time"] == row["begin"]
        env.action_space.seed(1)
        truncated = False
        while not truncated:
            assert env.observation_space.contains(observation)
            observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
            assert np.isfinite(reward)
            assert not terminated
        assert info["time"] == row["end"]
        assert watched.steps == (row["end"] - row["begin"]) / env.unwrapped.scenario.step_length
        env.close()


def test_ramp_meter__can_be_held_at_red(make: Make) -> None:
    env = make(scenario(named("a-ramp-meter")), end=60)
    env.reset(seed=1)
    for _ in range(4):
        env.step(1)
    assert env.unwrapped.query(state_of, "meter") == "r"


def state_of(kernel: Kernel, signal: str) -> str:
    return kernel.traffic_light.state(signal)


def test_green_red_without_yellow__gets_the_configured_one(make: Make) -> None:
    env = make(scenario(named("c-green-red-no-yellow")), decision_interval=1, end=60)
    env.reset(seed=1)
    for _ in range(5):
        env.step(0)
    shown = []
    for _ in range(5):
        env.step(1)
        shown.append(env.unwrapped.query(state_of, "J"))
    assert shown == ["yy", "yy", "yy", "rr", "rr"]


@pytest.mark.parametrize("name", ["a-actuated", "b-actuated-conditions", "c-delay-based"])
def test_actuated__is_ours_while_it_is_controlled_and_its_own_when_released(name: str, make: Make) -> None:
    env = make(scenario(named(name)), end=150)
    env.reset(seed=1)
    assert env.action_space.n == 3
    for _ in range(20):
        env.step(1)
    kept = [env.unwrapped.query(state_of, "X") for _ in range(3) if env.step(1)]
    assert set(kept) == {env.unwrapped.query(lambda kernel: kernel.traffic_light.phases("X")[1])}
    env.unwrapped.query(lambda kernel: kernel.traffic_light.release("X"))
    program = env.unwrapped.query(lambda kernel: kernel._backend.trafficlight.getProgram("X"))
    assert program == named(name)["signals"][0]["active_program"]


def test_joined_junctions__are_one_signal_with_each_lane_once(make: Make) -> None:
    env = make(scenario(named("a-joined")))
    env.reset(seed=1)
    lanes = env.unwrapped.query(lambda kernel: kernel.traffic_light.incoming_lanes("twin"))
    assert env.unwrapped.agent == "twin"
    assert sorted(lanes) == sorted(set(lanes))
    assert {"mid_e_0", "mid_e_1", "mid_w_0", "mid_w_1"} <= set(lanes)


def test_index_gaps__give_each_lane_once_and_states_of_full_length(make: Make) -> None:
    env = make(scenario(named("b-index-gaps")))
    env.reset(seed=1)
    lanes = env.unwrapped.query(lambda kernel: kernel.traffic_light.incoming_lanes("gap"))
    assert lanes == ("ni_0", "si_0", "wi_0", "wi_1", "ei_0", "ei_1")
    env.step(1)
    assert len(env.unwrapped.query(state_of, "gap")) == 7


def test_pedestrians__are_no_approach_and_every_crossing_gets_green(make: Make) -> None:
    env = make(scenario(named("a-scramble")))
    env.reset(seed=1)
    lanes, crossings, phases = env.unwrapped.query(
        lambda kernel: (
            kernel.traffic_light.incoming_lanes("sq"),
            kernel.traffic_light.crossings("sq"),
            kernel.traffic_light.phases("sq"),
        )
    )
    assert not any(lane.startswith(":") for lane in lanes)
    assert crossings == {12, 13, 14, 15}
    assert all(any(phase[crossing] in "Gg" for phase in phases) for crossing in crossings)
    assert phases == ("rrrgGgrrrgGgGrGr", "rrrrrGrrrrrGrrrr", "gGgrrrgGgrrrrGrG", "rrrrrrrrrrrrGGGG")


def test_no_signal__is_said_before_sumo_starts(make: Make) -> None:
    with pytest.raises(ScenarioError, match=r"a-no-signal\.net\.xml.*no traffic light"):
        make(scenario(named(NO_SIGNAL)))
    assert not libsumo.isLoaded()


@pytest.mark.parametrize("name", ["b-empty", "c-types-only", "d-one-late-vehicle"])
def test_no_vehicles__give_zeros_and_no_warning(name: str, make: Make) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = make(scenario(named(name)), end=600)
        env.reset(seed=1)
        for _ in range(90):
            observation, reward, _, truncated, _ = env.step(0)
            assert reward == 0.0
            assert not truncated
        assert observation[env.action_space.n + 1 :].sum() == 0.0
        while not truncated:
            *_, truncated, info = env.step(0)
    vehicles = info["kpis"]["due"]["vehicles"]
    assert vehicles == (1 if name == "d-one-late-vehicle" else 0)
    assert all(np.isfinite(value) for value in info["kpis"]["due"].values())


def test_begin__is_the_cfgs_and_all_vehicles_due_are_inserted(make: Make) -> None:
    env = make(scenario(named("a")), signal="c1")
    _, info = env.reset(seed=1)
    assert info["time"] == 25200
    truncated = False
    while not truncated:
        *_, truncated, info = env.step(env.action_space.sample())
    assert info["time"] == 26100
    assert info["kpis"]["inserted"]["vehicles"] == 200


def test_unsorted_routes__are_said_once(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    env = make(scenario(named("b")), signal="c1")
    with caplog.at_level(logging.WARNING, "sumo_gymnasium"):
        env.reset(seed=1)
        truncated = False
        while not truncated:
            *_, truncated, info = env.step(0)
    said = [record.message for record in caplog.records if "Route file should be sorted" in record.message]
    assert len(said) == 1
    assert said[0].count("ignoring 'v") == 1  # and one line that says how many there were
    assert info["kpis"]["inserted"]["vehicles"] == 3


@pytest.mark.parametrize(
    "row", [row for row in RUNS if row["case"].startswith("13") and row["id"] != STEP_2], ids=case_id
)
def test_step_length__leaves_seconds_as_they_are(row: dict[str, Any], make: Make) -> None:
    watched = SignalWatch(row["signals"][0]["id"])
    env = make(scenario(row), decision_interval=10, yellow=3, end=300, hooks=[watched])
    env.reset(seed=1)
    decisions, truncated = 0, False
    while not truncated:
        *_, truncated, info = env.step(decisions % env.action_space.n)
        decisions += 1
        assert info["time"] == 10 * decisions
    assert decisions == 30
    yellow = round(3 / env.unwrapped.scenario.step_length)
    assert set(watched.yellows) == {yellow}


def test_step_length__that_does_not_divide_the_interval_is_refused(make: Make) -> None:
    with pytest.raises(ValueError, match=r"decision_interval=5 s is no multiple of the step length 2 s"):
        make(scenario(named(STEP_2)))
    with pytest.raises(ValueError, match=r"yellow=3 s is no multiple of the step length 2 s; choose for example 4"):
        make(scenario(named(STEP_2)), decision_interval=6, min_green=6)


@pytest.mark.parametrize("backend", ["libsumo", "traci"])
@pytest.mark.parametrize("row", FAULTS, ids=case_id)
def test_bad_input__is_one_error_with_sumos_words_and_the_next_env_works(
    row: dict[str, Any], backend: str, make: Make
) -> None:
    started, before = time.monotonic(), children()
    expected = SimulationCrashed if row["id"] in LATE else ScenarioError
    env, late = None, False
    try:
        env = make(scenario(row), end=120, backend=backend)
        env.reset(seed=1)
        late = True
        for _ in range(24):
            env.step(0)
    except SumoGymnasiumError as error:
        caught = error
    assert type(caught) is expected
    assert late == (row["id"] in LATE)
    assert row["expect"].removeprefix("error:") in str(caught)
    assert time.monotonic() - started < 10
    if env is not None:
        env.close()
    assert children() == before
    good = make()
    good.reset(seed=1)
    good.step(0)


def test_large_grid__has_three_kinds_of_signals_and_asks_which(make: Make) -> None:
    row = named(LARGE)
    with pytest.raises(ScenarioError, match=r"324 traffic lights; choose one with signal="):
        make(scenario(row))
    kinds = {}
    env = make(scenario(row), signal="B1", end=60)
    env.reset(seed=1)
    for size in env.unwrapped.query(sizes):
        kinds[size] = kinds.get(size, 0) + 1
    assert kinds == {(4, 1): 4, (9, 3): 64, (16, 4): 256}


def sizes(kernel: Kernel) -> list[tuple[int, int]]:
    signals = kernel.traffic_light
    return [(len(signals.state(signal)), len(signals.phases(signal))) for signal in signals.ids]


@pytest.mark.parametrize("name", ["a-default-seed", "b-random-true"])
def test_seed__fixes_everything_that_is_random(name: str, make: Make) -> None:
    env = make(scenario(named(name)), end=300)
    first, again, other = (positions(env, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    unseeded = positions(env, None), positions(env, None)
    assert unseeded[0] != unseeded[1]
    env.reset(seed=2)
    assert (positions(env, None), positions(env, None)) == unseeded
    assert positions(make(scenario(named(name)), end=300, backend="traci"), 1) == first


def positions(env: Any, seed: int | None) -> list[tuple[float, dict[str, tuple[float, float]]]]:
    env.reset(seed=seed)
    found = []
    for _ in range(59):
        env.step(0)
        found.append(env.unwrapped.query(snapshot))
    return found


def snapshot(kernel: Kernel) -> tuple[float, dict[str, tuple[float, float]]]:
    vehicles = kernel._backend.vehicle
    return kernel.simulation.time, {name: vehicles.getPosition(name) for name in kernel.vehicle.ids}
