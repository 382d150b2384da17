from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from sumo_gymnasium import traffic_light_v0
from sumo_gymnasium.actions.programs import RunProgram
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.signals.program import Program
from sumo_gymnasium.testing.fakes import FakeSignal, fake_kernel
from tests.conftest import CASES, Make
from tests.kernels.test_traffic_light import nema


def test_run_program__is_asked_for_once() -> None:
    kernel = fake_kernel(
        signals={"A": FakeSignal(program=Program("A", "own", "static", ("Gr", "rG"), (9, 9), ("", "")))}
    )
    action = RunProgram("delay_based", min_green=6, max_green=30)
    for _ in range(3):
        action.apply(kernel, "A", 0)
    assert kernel.traffic_light.runs == [("A", "own delay_based")]
    assert action.space(kernel, "A").n == 1
    assert action.info(kernel, "A")["action_mask"].tolist() == [1]


def greens(env: Any, seconds: int) -> list[tuple[str, int]]:
    """What is shown in each second, and for how long at a time; the last one is cut short and left out."""
    env.reset(seed=1)
    states = []
    for _ in range(seconds):
        env.step(0)
        states.append(
            env.unwrapped.query(lambda kernel, signal: kernel.traffic_light.state(signal), env.unwrapped.agent)
        )
    return [(state, len(list(same))) for state, same in groupby(states)][:-1]


@pytest.mark.parametrize("backend", ["libsumo", "traci"])
@pytest.mark.parametrize("kind", ["actuated", "delay_based"])
def test_run_program__sumo_varies_the_greens_and_keeps_the_yellows(kind: Any, backend: str, make: Make) -> None:
    action = RunProgram(kind, min_green=5, max_green=30)
    env = make("intersection-asymmetric", action=action, decision_interval=1, end=400, host="inline", backend=backend)
    shown = greens(env, 399)
    program = env.unwrapped.query(lambda kernel: kernel.traffic_light.program("center"))
    assert [state for state, _ in shown] == [program.states[place % 8] for place in range(len(shown))]
    assert {seconds for state, seconds in shown if "y" in state} == {3}
    lasted = {seconds for state, seconds in shown if "y" not in state}
    assert len(lasted) > 3
    assert min(lasted) >= 5
    assert max(lasted) <= 30


def test_run_program__goes_on_from_what_shows(make: Make) -> None:
    env = make("intersection-asymmetric", action=RunProgram(), decision_interval=1, begin=50, end=100, host="inline")
    env.reset(seed=1)
    read = lambda kernel: (kernel.traffic_light.state("center"), kernel.traffic_light.phase("center"))  # noqa: E731
    before = env.unwrapped.query(read)
    *_, info = env.step(0)
    assert env.unwrapped.query(read)[1] in (before[1], (before[1] + 1) % 4)
    assert info["phase"] == env.unwrapped.query(read)[1]


@pytest.mark.parametrize("kind", ["actuated", "delay_based"])
@pytest.mark.parametrize("case", ["a-actuated", "b-actuated-conditions", "c-delay-based"])
def test_run_program__also_in_place_of_an_actuated_one(case: str, kind: Any, make: Make) -> None:
    folder = CASES / "02-actuated"
    files = {"net_file": str(folder / f"{case}.net.xml"), "route_files": str(folder / "n.rou.xml")}
    env = make(files, action=RunProgram(kind, max_green=20), decision_interval=1, end=300, host="inline")
    shown = greens(env, 299)
    assert len(shown) > 10
    assert max(seconds for state, seconds in shown if "y" not in state) <= 20


def test_run_program__green_time_counts_from_the_phases_start(make: Make) -> None:
    env = make("intersection-asymmetric", action=RunProgram(), decision_interval=1, end=120, host="inline")
    env.reset(seed=1)
    env.step(0)
    shown, last = 0, None
    for second in range(100):
        env.step(0)
        state, time, phases = env.unwrapped.query(
            lambda kernel: (
                kernel.traffic_light.state("center"),
                kernel.traffic_light.green_time("center"),
                kernel.traffic_light.phases("center"),
            )
        )
        shown, last = (shown + 1 if state == last else 1), state
        if second > 50:
            assert time == (shown if state in phases else 0)


def test_run_program__can_be_taken_back(make: Make) -> None:
    env = make("intersection-asymmetric", action=RunProgram(), decision_interval=1, end=100, host="inline")
    env.reset(seed=1)
    for _ in range(20):
        env.step(0)
    programs = []
    for command in (lambda kernel: None, lambda kernel: kernel.traffic_light.release("center")):
        env.unwrapped.query(command)
        programs.append(env.unwrapped.query(lambda kernel: kernel.traffic_light._running.getProgram("center")))
    assert programs == ["webster actuated", "webster"]


def test_run_program__begins_anew_with_each_episode(make: Make) -> None:
    env = make("intersection-asymmetric", action=RunProgram(), decision_interval=1, end=300, host="inline")
    assert greens(env, 150) == greens(env, 150)


def test_run_program__says_that_nema_is_no_sequence(tmp_path: Path, make: Make) -> None:
    with pytest.raises(ScenarioError, match="a NEMA program is no sequence of states"):
        make(nema(tmp_path), action=RunProgram(), end=50)


@pytest.mark.parametrize("kind", ["actuated", "delay_based"])
@pytest.mark.parametrize("host", ["inline", "worker"])
def test_run_program__may_begin_while_vehicles_are_on_the_approach(kind: Any, host: str) -> None:
    folder = CASES / "06-peds-mixed-modes"
    files = {"net_file": str(folder / "b-mixed.net.xml"), "route_files": [str(folder / "b.rou.xml")], "end": 300}
    env = traffic_light_v0.parallel_env(scenario=files, action=RunProgram(kind), decision_interval=1, host=host)
    env.reset(seed=1)
    for second in range(60):
        env.step({} if second < 30 else dict.fromkeys(env.agents, 0))
    assert env.unwrapped.query(lambda kernel: kernel.traffic_light._running.getProgram("mm")).endswith(kind)
    env.close()


@pytest.mark.parametrize("wrong", [{"type": "nema"}, {"min_green": 0}, {"min_green": 9, "max_green": 8}])
def test_run_program__refuses_what_cannot_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"no type of program|expected seconds"):
        RunProgram(**wrong)
