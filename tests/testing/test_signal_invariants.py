"""A watch that sees nothing would let every signal pass."""

import pytest

from sumo_gymnasium.testing.signal_invariants import SignalInvariants


def see(watch: SignalInvariants, *states: str) -> None:
    for state in states:
        watch.see(state)


def test_see__accepts_a_sound_cycle() -> None:
    watch = SignalInvariants(2, foes={(0, 1)})
    see(watch, "Gr", "gr", "yr", "yr", "rr", "rG", "rG", "ry", "ry", "Gr")


@pytest.mark.parametrize("states", [("G", "r"), ("g", "s"), ("G", "y", "r"), ("G", "y", "s"), ("G", "o", "r")])
def test_see__refuses_red_without_enough_yellow(states: tuple[str, ...]) -> None:
    with pytest.raises(AssertionError, match="link 0 went from green"):
        see(SignalInvariants(2), *states)


def test_see__names_step_link_and_state() -> None:
    with pytest.raises(AssertionError, match=r"step 3: link 1 .* after 1 steps of yellow, not 2, in 'Gr'"):
        see(SignalInvariants(2), "rG", "rG", "ry", "Gr")


def test_see__counts_yellow_anew_after_each_green() -> None:
    with pytest.raises(AssertionError, match="after 1 steps"):
        see(SignalInvariants(2), "G", "y", "y", "G", "y", "r")


def test_see__lets_longer_yellow_and_a_return_to_green_pass() -> None:
    see(SignalInvariants(2), "G", "y", "y", "y", "r", "r", "G", "y", "G", "y", "y", "r")


def test_see__does_not_know_what_was_before_the_first_state() -> None:
    see(SignalInvariants(2), "y", "r", "G")


def test_see__asks_no_yellow_of_crossings() -> None:
    see(SignalInvariants(2, crossings={0}), "GG", "rG")
    with pytest.raises(AssertionError, match="link 1"):
        see(SignalInvariants(2, crossings={0}), "GG", "rr")


def test_see__accepts_no_yellow_where_none_is_configured() -> None:
    see(SignalInvariants(0), "G", "r", "G")


@pytest.mark.parametrize("foes", [{(0, 2)}, {(2, 0)}])
def test_see__refuses_two_foes_at_priority_green(foes: set[tuple[int, int]]) -> None:
    with pytest.raises(AssertionError, match="step 1: links 0 and 2 are foes"):
        see(SignalInvariants(1, foes=foes), "GrrG", "GrGr")


@pytest.mark.parametrize("allowed", [{(0, 2)}, {(2, 0)}])
def test_see__lets_foes_pass_that_the_program_itself_shows(allowed: set[tuple[int, int]]) -> None:
    see(SignalInvariants(1, foes={(0, 2)}, allowed=allowed), "GrG")


def test_see__lets_one_foe_yield_to_the_other() -> None:
    see(SignalInvariants(1, foes={(0, 1)}), "Gg", "gG", "gg")


def test_see__refuses_states_of_another_length() -> None:
    with pytest.raises(AssertionError, match="letters"):
        see(SignalInvariants(1), "GG", "GGr")
