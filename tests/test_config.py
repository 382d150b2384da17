from typing import Any

import pytest

from sumo_gymnasium.config import RENAMED, SignalTiming, SumoConfig, steps


def test_steps__are_whole() -> None:
    assert steps(3.0, 0.1, "yellow") == 30
    assert steps(4.5, 0.25, "yellow") == 18
    with pytest.raises(ValueError, match=r"decision_interval=1e-07 s is no multiple"):
        steps(1e-7, 1.0, "decision_interval")
    with pytest.raises(ValueError, match=r"yellow=3 s is no multiple of the step length 2 s; choose for example 4"):
        steps(3.0, 2.0, "yellow")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"decision_interval": 0}, "decision_interval=0: expected seconds"),
        ({"decision_interval": float("nan")}, "decision_interval=nan"),
        ({"decision_interval": True}, "decision_interval=True"),
        ({"decision_interval": "5"}, "decision_interval='5'"),
        ({"time_to_teleport": -1}, "time_to_teleport=-1: expected seconds, 0.001 to 1e.09, or None"),
        ({"min_green": -1}, "min_green=-1"),
        ({"yellow": "3"}, "yellow='3'"),
        ({"all_red": float("inf")}, "all_red=inf"),
        ({"yellow": 1e12}, r"yellow=1000000000000.0: expected seconds, 0 to 600"),
        ({"output_dir": ""}, "output_dir='': expected a folder"),
        ({"min_green": 10, "max_green": 5}, "max_green=5"),
        ({"host": "wroker"}, "no host 'wroker'; did you mean 'worker'"),
        ({"backend": "libsum"}, "no backend 'libsum'; did you mean 'libsumo'"),
        ({"collision_action": "explode"}, "no collision_action 'explode'"),
    ],
)
def test_wrong_values__are_refused_where_they_enter(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SumoConfig.of(settings)


def test_sumo_options__are_a_sequence() -> None:
    with pytest.raises(TypeError, match="expected a sequence"):
        SumoConfig(sumo_options="--scale 2")  # type: ignore[arg-type]
    assert SumoConfig.of({"sumo_options": ["--scale", 2]}).sumo_options == ("--scale", "2")


@pytest.mark.parametrize("name", RENAMED)
def test_sumo_rls_spellings__are_answered_with_ours(name: str) -> None:
    with pytest.raises(TypeError, match=f"'{name}' is sumo-rl's; here it is: "):
        SumoConfig.of({name: 1})


def test_unknown_argument__is_a_suggestion() -> None:
    with pytest.raises(TypeError, match="no argument 'yelow'; did you mean 'yellow'"):
        SumoConfig.of({"yelow": 3})


def test_timing__checks_itself() -> None:
    with pytest.raises(ValueError, match="min_green=None"):
        SignalTiming(min_green=None)  # type: ignore[arg-type]


def test_signal_timing__holds_for_one_signal() -> None:
    config = SumoConfig(min_green=5, yellow=3, signal_timing={"A": {"min_green": 7, "max_green": None}})
    assert (config.timing_of("A").min_green, config.timing_of("A").yellow) == (7, 3)
    assert config.timing_of("B") == config.timing


@pytest.mark.parametrize(
    ("given", "error", "match"),
    [
        ([("A", 5)], TypeError, "expected a mapping"),
        ({"A": 5}, TypeError, "expected a mapping"),
        ({"A": {"minimum": 5}}, TypeError, "no time in signal_timing 'minimum'"),
        ({"A": {"yellow": -1}}, ValueError, "yellow=-1"),
    ],
)
def test_signal_timing__that_cannot_be_is_refused(given: Any, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        SumoConfig(signal_timing=given)


def test_signal_timing__is_a_whole_number_of_steps() -> None:
    with pytest.raises(ValueError, match="no multiple of the step length"):
        SumoConfig(signal_timing={"A": {"min_green": 7.5}}).check(1.0)
