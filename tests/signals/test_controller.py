"""What a signal shows in each simulation step."""

import pickle

import numpy as np
import pytest

from sumo_gymnasium.config import SignalTiming
from sumo_gymnasium.signals.controller import SignalController
from sumo_gymnasium.testing.signal_invariants import SignalInvariants

TIMING = SignalTiming(min_green=2, yellow=3, all_red=1)
TWO = ("GGrr", "rrGG")
THREE = ("GGrrr", "rrGGr", "rrrrG")


def ticks(signal: SignalController, count: int) -> list[str]:
    return [signal.tick() for _ in range(count)]


def test_request__goes_through_yellow_and_all_red() -> None:
    timing = SignalTiming(min_green=2, yellow=3, all_red=1)
    signal = SignalController(("GGrr", "rrGG"), timing, step_length=1.0)
    shown = []
    for _ in range(7):
        signal.request(1)
        shown.append(signal.tick())
    assert shown == ["GGrr", "GGrr", "yyrr", "yyrr", "yyrr", "rrrr", "rrGG"]


def test_request__is_remembered_until_min_green_is_over() -> None:
    signal = SignalController(TWO, TIMING, step_length=1.0)
    signal.request(1)
    assert ticks(signal, 8) == ["GGrr", "GGrr", "yyrr", "yyrr", "yyrr", "rrrr", "rrGG", "rrGG"]


def test_request__a_later_one_replaces_one_that_waits() -> None:
    signal = SignalController(THREE, TIMING, step_length=1.0)
    signal.request(1)
    signal.tick()
    signal.request(2)
    assert ticks(signal, 6)[-1] == "rrrrG"
    signal = SignalController(THREE, TIMING, step_length=1.0)
    signal.request(1)
    signal.tick()
    signal.request(0)
    assert ticks(signal, 9) == ["GGrrr"] * 9


def test_request__during_a_transition_waits_for_the_phase_to_show_its_min_green() -> None:
    signal = SignalController(THREE, SignalTiming(min_green=2, yellow=1), step_length=1.0, shown=2)
    signal.request(1)
    signal.tick()
    signal.request(2)
    assert ticks(signal, 4) == ["rrGGr", "rrGGr", "rryyr", "rrrrG"]


def test_request__shows_each_phase_even_without_min_green() -> None:
    signal = SignalController(THREE, SignalTiming(min_green=0, yellow=1), step_length=1.0)
    shown = []
    for phase in (1, 2, 2, 2, 2):
        signal.request(phase)
        shown.append(signal.tick())
    assert shown == ["yyrrr", "rrGGr", "rryyr", "rrrrG", "rrrrG"]


@pytest.mark.parametrize("phase", [-1, 2, 7])
def test_request__refuses_what_is_no_phase(phase: int) -> None:
    with pytest.raises(ValueError, match="expected 0 to 1"):
        SignalController(TWO, TIMING, step_length=1.0).request(phase)


@pytest.mark.parametrize(
    ("before", "after", "crossings", "expected"),
    [
        ("GGrr", "GrGr", (), ["Gyrr", "Grrr", "GrGr"]),  # green in both
        ("Ggrr", "gGGr", (), ["gGGr"]),  # nobody loses green
        ("Ggrr", "gGrG", (), ["gGrG"]),
        ("gGr", "GrG", (), ["gyr", "grr", "GrG"]),  # the letter changes with the phase
        ("Grs", "srG", (), ["yrr", "rrr", "srG"]),  # green to right on red
        ("GrGr", "rGrG", (2, 3), ["yrrr", "rrrr", "rGrG"]),  # a crossing has no amber
        ("GGr", "GrG", (1, 2), ["Grr", "Grr", "GrG"]),  # but needs the time
        ("rr", "GG", (), ["GG"]),  # from rest
        ("GG", "rr", (), ["yy", "rr", "rr"]),
        ("oGr", "orG", (), ["oyr", "orr", "orG"]),
    ],
)
def test_transition__is_worked_out_for_each_link(
    before: str, after: str, crossings: tuple[int, ...], expected: list[str]
) -> None:
    timing = SignalTiming(min_green=0, yellow=1, all_red=1)
    signal = SignalController((before, after), timing, 1.0, crossings=frozenset(crossings))
    signal.request(1)
    assert ticks(signal, len(expected)) == expected


@pytest.mark.parametrize(
    ("yellow", "all_red", "between"), [(0, 0, []), (2, 0, ["yyrr"] * 2), (0, 2, ["rrrr"] * 2), (1, 1, ["yyrr", "rrrr"])]
)
def test_transition__may_have_no_yellow_or_no_all_red(yellow: float, all_red: float, between: list[str]) -> None:
    signal = SignalController(TWO, SignalTiming(min_green=0, yellow=yellow, all_red=all_red), step_length=1.0)
    signal.request(1)
    assert ticks(signal, len(between) + 1) == [*between, "rrGG"]


@pytest.mark.parametrize("step_length", [1.0, 0.5, 0.25, 0.1])
def test_timing__is_in_seconds_at_every_step_length(step_length: float) -> None:
    signal = SignalController(TWO, TIMING, step_length)
    signal.request(1)
    shown = ticks(signal, round(7 / step_length))
    assert [shown.count(state) * step_length for state in ("GGrr", "yyrr", "rrrr", "rrGG")] == pytest.approx(
        [2, 3, 1, 1]
    )


@pytest.mark.parametrize("name", ["min_green", "max_green", "yellow", "all_red"])
def test_timing__refuses_what_is_no_multiple_of_the_step(name: str) -> None:
    times = {"min_green": 1.0, name: 2.5}
    with pytest.raises(ValueError, match=name):
        SignalController(TWO, SignalTiming(**times), step_length=1.0)


def test_max_green__goes_on_to_the_next_phase() -> None:
    signal = SignalController(TWO, SignalTiming(min_green=1, max_green=3, yellow=1), step_length=1.0)
    assert ticks(signal, 9) == ["GGrr"] * 3 + ["yyrr"] + ["rrGG"] * 3 + ["rryy", "GGrr"]


def test_max_green__does_not_hold_against_asking_for_the_same_phase() -> None:
    signal = SignalController(TWO, SignalTiming(min_green=1, max_green=2, yellow=1), step_length=1.0)
    shown = []
    for _ in range(4):
        signal.request(0)
        shown.append(signal.tick())
    assert shown == ["GGrr", "GGrr", "yyrr", "rrGG"]


def test_max_green__lets_a_request_choose_the_next_phase() -> None:
    signal = SignalController(THREE, SignalTiming(min_green=2, max_green=2, yellow=1), step_length=1.0)
    signal.request(2)
    assert ticks(signal, 4)[-1] == "rrrrG"


def test_max_green__means_nothing_with_one_phase() -> None:
    signal = SignalController(("GG",), SignalTiming(min_green=1, max_green=2), step_length=1.0)
    assert ticks(signal, 5) == ["GG"] * 5
    assert signal.legal() == (True,)


def test_legal__says_what_the_next_tick_would_do() -> None:
    signal = SignalController(THREE, SignalTiming(min_green=2, max_green=3, yellow=1, all_red=1), step_length=1.0)
    told = []
    for _ in range(7):
        told.append(signal.legal())
        signal.tick()
    only_first, every, others, only_second = (
        (True, False, False),
        (True, True, True),
        (False, True, True),
        (False, True, False),
    )
    assert told == [only_first, only_first, every, others, only_second, only_second, only_second]


def test_properties__follow_the_clock() -> None:
    signal = SignalController(TWO, SignalTiming(min_green=1, yellow=1), step_length=0.5)
    signal.request(1)
    told = []
    for _ in range(5):
        signal.tick()
        told.append((signal.phase, signal.in_transition, signal.green_time))
    assert told == [(0, False, 0.5), (0, False, 1.0), (1, True, 0.0), (1, True, 0.0), (1, False, 0.5)]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("rrGG", ["rrGG"]),
        ("GGrr", ["yyrr", "yyrr", "rrrr", "rrGG"]),
        ("yyrr", ["yyrr", "yyrr", "rrrr", "rrGG"]),  # yellow stays
        ("yyrG", ["yyrG", "yyrG", "rrrG", "rrGG"]),
        ("rrrr", ["rrGG"]),
        ("rruu", ["rrGG"]),
        ("GGuu", ["yyrr", "yyrr", "rrrr", "rrGG"]),
    ],
)
def test_take_over__begins_with_the_transition_from_what_shows(state: str, expected: list[str]) -> None:
    signal = SignalController(TWO, SignalTiming(min_green=0, yellow=2, all_red=1), 1.0, phase=1, state=state)
    assert signal.phase == 1
    assert ticks(signal, len(expected)) == expected
    assert signal.green_time == 1.0


def test_take_over__counts_the_green_already_shown() -> None:
    signal = SignalController(TWO, SignalTiming(min_green=5, yellow=1), 0.5, state="GGrr", shown=4.5)
    signal.request(1)
    assert ticks(signal, 2) == ["GGrr", "yyrr"]


@pytest.mark.parametrize("phases", [(), ("GG", "G"), ("GG", "rrr")])
def test_take_over__refuses_states_that_do_not_fit(phases: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="expected"):
        SignalController(phases, TIMING, 1.0)


def test_take_over__refuses_a_state_of_another_length() -> None:
    with pytest.raises(ValueError, match="links"):
        SignalController(TWO, TIMING, 1.0, state="GGr")


def test_controller__survives_pickling_in_a_transition() -> None:
    signal = SignalController(TWO, TIMING, 1.0, shown=2)
    signal.request(1)
    signal.tick()
    copy = pickle.loads(pickle.dumps(signal))
    assert ticks(copy, 6) == ticks(signal, 6)


@pytest.mark.parametrize("seed", range(40))
def test_controller__keeps_every_link_safe_whatever_is_asked(seed: int) -> None:
    random = np.random.default_rng(seed)
    links, count = int(random.integers(1, 10)), int(random.integers(1, 6))
    phases = tuple("".join(random.choice(list("GGgrrrs"), links)) for _ in range(count))
    crossings = frozenset(np.flatnonzero(random.random(links) < 0.2).tolist())
    step_length = float(random.choice([1.0, 0.5, 0.1]))
    yellow, all_red, min_green = (float(random.integers(0, 5)) for _ in range(3))
    timing = SignalTiming(
        min_green=min_green,
        max_green=min_green + 4 if random.random() < 0.5 else None,
        yellow=yellow,
        all_red=all_red,
    )
    pairs = {(one, other) for one in range(links) for other in range(one)}
    together = {(one, other) for one, other in pairs if any(p[one] in "Gg" and p[other] in "Gg" for p in phases)}
    watch = SignalInvariants(round(yellow / step_length), crossings, foes=pairs, allowed=together)
    begun = int(random.integers(count))
    target = int(random.integers(count))
    watch.see(phases[begun])
    signal = SignalController(phases, timing, step_length, crossings, phase=target, state=phases[begun])
    for _ in range(600):
        wanted = int(random.integers(count)) if random.random() < 0.3 else None
        if wanted is not None:
            legal, before = signal.legal()[wanted], signal.phase
            signal.request(wanted)
        state = signal.tick()
        if wanted is not None:
            assert (signal.phase == wanted) if legal else (signal.phase == before) != (wanted == before)
        watch.see(state)
        assert signal.in_transition or state == phases[signal.phase]
        if timing.max_green is not None and count > 1:
            assert signal.green_time <= timing.max_green + 1e-9


@pytest.mark.parametrize("seed", range(10))
def test_controller__shows_no_phase_shorter_than_min_green(seed: int) -> None:
    random = np.random.default_rng(seed)
    signal = SignalController(THREE, SignalTiming(min_green=4, yellow=2, all_red=1), step_length=0.5)
    shown = []
    for _ in range(2000):
        signal.request(int(random.integers(3)))
        shown.append(signal.tick())
    runs = _runs(shown)
    assert len(runs) > 50
    assert min(length for state, length in runs[1:-1] if state in THREE) >= 8
    assert {length for state, length in runs[1:-1] if "y" in state} == {4}
    assert {length for state, length in runs[1:-1] if state == "rrrrr"} == {2}


def _runs(states: list[str]) -> list[tuple[str, int]]:
    runs: list[tuple[str, int]] = []
    for state in states:
        same = runs and runs[-1][0] == state
        runs[-1:] = [(state, runs[-1][1] + 1)] if same else [*runs[-1:], (state, 1)]
    return runs


@pytest.mark.parametrize("seed", range(20))
def test_skip__leads_where_as_many_ticks_lead(seed: int) -> None:
    random = np.random.default_rng(seed)
    timing = SignalTiming(
        min_green=float(random.integers(0, 6)),
        max_green=float(random.integers(6, 12)) if random.random() < 0.5 else None,
        yellow=float(random.integers(0, 4)),
        all_red=float(random.integers(0, 3)),
    )
    phases = ("GGrr", "rrGG", "GrrG")
    ticking = SignalController(phases, timing, 1.0)
    skipping = SignalController(phases, timing, 1.0)
    skipped = 0
    for _ in range(200):
        wanted = int(random.integers(3))
        ticking.request(wanted)
        skipping.request(wanted)
        left = int(random.integers(1, 15))
        while left:
            shown = skipping.tick()
            quiet = min(skipping.quiet, left - 1)
            skipping.skip(quiet)
            assert ticks(ticking, 1 + quiet) == [shown] * (1 + quiet)
            left -= 1 + quiet
            skipped += quiet
        assert skipping.legal() == ticking.legal()
        assert skipping.green_time == ticking.green_time
    assert skipped > 100
