"""Actions that say how long greens last: what is asked is what SUMO shows."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from sumo_gymnasium.actions.durations import CycleSplits, GreenDuration
from sumo_gymnasium.scenarios.registry import scenario_of
from sumo_gymnasium.testing.checks import SignalWatch
from tests.conftest import Make
from tests.kernels.test_traffic_light import nema

STATES: list[str] = []


def note(kernel: Any) -> None:
    """Remember what the shipped intersection's signal shows."""
    STATES.append(kernel.traffic_light.state("center"))


def made(make: Make, action: Any, **settings: Any) -> Any:
    STATES.clear()
    hooks = [note, SignalWatch("center")]
    return make("intersection-uniform", end=600, action=action, hooks=hooks, host="inline", **settings)


def runs() -> list[tuple[str, int]]:
    """What was shown, and for how many steps."""
    found: list[tuple[str, int]] = []
    for state in STATES:
        if found and found[-1][0] == state:
            found[-1] = state, found[-1][1] + 1
        else:
            found.append((state, 1))
    return found


def greens() -> list[int]:
    return [steps for state, steps in runs() if "y" not in state]


@pytest.mark.parametrize("length", [1.0, 0.5])
def test_green_duration__is_what_shows(make: Make, length: float) -> None:
    env = made(make, GreenDuration(longest=30, step=4), min_green=6, step_length=length)
    assert env.action_space == spaces.Discrete(7)  # 6, 10, … 30
    _, info = env.reset(seed=1)
    assert info["green"] == 0
    for action in (0, 6, 3, 1):
        *_, info = env.step(action)
        assert info["green"] == 6 + 4 * action
        assert info["elapsed"] == 3 + 6 + 4 * action or action == 0
    assert [steps * length for steps in greens()[-4:]] == [6, 30, 18, 10]


def test_green_duration__continuous_is_rounded_up_to_whole_steps(make: Make) -> None:
    env = made(make, GreenDuration(continuous=True), max_green=40)
    assert env.action_space == spaces.Box(5, 40, (1,), np.float32)
    env.reset(seed=1)
    for seconds in (5.0, 7.3, 40.0):
        env.step(np.array([seconds], dtype=np.float32))
    assert greens()[-3:] == [5, 8, 40]


def test_green_duration__must_leave_room_for_min_green(make: Make) -> None:
    with pytest.raises(ValueError, match="less than the min green"):
        made(make, GreenDuration(longest=4))


def test_cycle_splits__share_the_cycle(make: Make) -> None:
    env = made(make, CycleSplits(cycle=100))
    env.reset(seed=1)
    weights = np.array([1, 0, 0.5, 0.5], dtype=np.float32)
    *_, info = env.step(weights)
    free = 100 - 4 * (5 + 3)
    assert info["greens"].tolist() == [5 + free / 2, 5, 5 + free / 4, 5 + free / 4]
    *_, info = env.step(weights)
    assert info["elapsed"] == 100
    assert sorted(greens()[-4:]) == sorted(info["greens"])
    assert len({state for state, _ in runs()[-8:] if "y" not in state}) == 4


def test_cycle_splits__without_weights_are_equal(make: Make) -> None:
    env = made(make, CycleSplits(cycle=72))
    env.reset(seed=1)
    *_, info = env.step(np.zeros(4, dtype=np.float32))
    assert info["greens"].tolist() == [15, 15, 15, 15]


def test_cycle_splits__refuse_a_cycle_that_is_too_short(make: Make) -> None:
    with pytest.raises(ValueError, match="expected at least 32 s"):
        made(make, CycleSplits(cycle=30))


def test_plan__shows_the_greens_of_the_program_chosen(make: Make, tmp_path: Path) -> None:
    program = tmp_path / "long.add.xml"
    states = ("GGrrrrGGrrrr", "yyrrrryyrrrr", "rrrGGGrrrGGG", "rrryyyrrryyy")  # the second green is no other program's
    rows = "".join(f'<phase duration="{10 if "y" not in s else 3}" state="{s}"/>' for s in states)
    program.write_text(
        f'<additional><tlLogic id="center" type="static" programID="long" offset="0">{rows}</tlLogic></additional>'
    )
    known = scenario_of("intersection-uniform")
    scenario = {
        "net_file": known.net_file,
        "route_files": known.route_files,
        "additional_files": [str(program), *known.additional_files],
    }
    STATES.clear()
    env = make(scenario, end=900, action="plan", hooks=[note], host="inline")
    assert env.action_space == spaces.Discrete(3)  # webster (active), the net's own, long
    env.reset(seed=1)
    names = env.unwrapped.query(lambda kernel: [p.program_id for p in kernel.traffic_light.static("center").programs])
    assert names[0] == "webster"
    *_, info = env.step(names.index("long"))
    assert info["plan"] == names.index("long")
    *_, info = env.step(names.index("long"))
    assert info["elapsed"] == 26
    assert [state for state, _ in runs()[-4:] if "y" not in state] == ["GGrrrrGGrrrr", "rrrGGGrrrGGG"]
    assert greens()[-2:] == [10, 10]
    plan = env.unwrapped.query(lambda kernel: kernel.traffic_light.plans("center")[0])
    *_, info = env.step(0)
    *_, info = env.step(0)
    assert greens()[-4:] == [green for _, green in plan]


def test_plan__needs_phases_in_sequence(make: Make, tmp_path: Path) -> None:
    scenario = nema(tmp_path)
    env = make(scenario, action="plan", end=100)
    assert env.action_space == spaces.Discrete(1)  # the net's own program, not the NEMA one that is active


@pytest.mark.parametrize("wrong", [0, -5, float("nan"), float("inf"), "60"])
@pytest.mark.parametrize("make_action", [GreenDuration, CycleSplits], ids=lambda kind: kind.__name__)
def test_durations__that_cannot_be_are_refused(make_action: Any, wrong: Any) -> None:
    for name in make_action.__dataclass_fields__:
        if name != "continuous":
            with pytest.raises(ValueError, match=f"{name}=.*expected seconds"):
                make_action(**{name: wrong})
