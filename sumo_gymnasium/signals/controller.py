"""The clock of one signal: what it shows in each simulation step, whatever is asked for and when."""

import sys
from collections.abc import Sequence
from copy import copy
from itertools import takewhile

from sumo_gymnasium.config import SignalTiming, steps
from sumo_gymnasium.signals.program import CHANGING, GREEN


def between(before: str, after: str, crossings: frozenset[int] = frozenset()) -> tuple[str, str]:
    """The states between two phases: while yellow shows, and while all links that change are red.

    Links green before and after keep their letter; links that become green wait at red. `before` may be a state in
    mid-transition: what is yellow there stays so.
    """
    amber, red = "", ""
    for link, (old, new) in enumerate(zip(before, after, strict=True)):
        keeps = old == new or (old in GREEN and new in GREEN)
        red += old if keeps and old not in CHANGING else "r"
        amber += "y" if _loses(old, new) and link not in crossings else red[-1]
    return amber, red


def clearing(before: str, after: str) -> bool:
    """Whether yellow and all-red have to pass between the two states: a link loses its green, or is losing it."""
    return any(_loses(old, new) for old, new in zip(before, after, strict=True))


def _loses(old: str, new: str) -> bool:
    if old == "y":
        return new != "y"
    return old in GREEN and new not in GREEN


class SignalController:
    """Shows one of several phases, and between two of them the yellow and red that safety asks for.

    Time is counted in whole simulation steps, so that nothing drifts. Call `tick()` once for each simulation step, or
    `skip()` those in which nothing happens.
    """

    def __init__(
        self,
        phases: Sequence[str],
        timing: SignalTiming,
        step_length: float,
        crossings: frozenset[int] = frozenset(),
        phase: int = 0,
        state: str | None = None,
        shown: float = 0.0,
        offered: int | None = None,
    ) -> None:
        """Take a signal over.

        Args:
            phases: states to choose from, one letter a link.
            timing: multiples of `step_length`.
            step_length: s a simulation step.
            crossings: link indices of pedestrian crossings, which have no amber.
            phase: shown at first, or gone to.
            state: what the signal shows now; if that is not the phase, the transition from there comes first.
                None: the phase.
            shown: s that the phase has been shown already.
            offered: how many of `phases` `legal()` speaks of and max green goes through; None: all.

        Raises:
            ValueError: no phases, states of different lengths, or a time that is no multiple of `step_length`.
        """
        self._phases = _checked_states(phases, state)
        self._crossings = crossings
        self._offered = len(self._phases) if offered is None else offered
        self._step_length = step_length
        self._yellow = steps(timing.yellow, step_length, "yellow")
        self._all_red = steps(timing.all_red, step_length, "all_red")
        self._min_green = steps(timing.min_green, step_length, "min_green")
        self._max_green = sys.maxsize
        if timing.max_green is not None and self._offered > 1:
            self._max_green = steps(timing.max_green, step_length, "max_green")
        self._phase = self._wanted = self._checked(phase)
        self._hold = 0  # steps that the wanted phase is to be shown before the plan goes on
        self._plan: list[tuple[int, int]] = []  # the phases to come and their holds, last first
        self._coming: list[str] = []  # the rest of a transition, last state first; the new phase itself ends it
        self._green_steps = round(shown / step_length)
        self._last = self._phases[phase]
        if state is not None and state != self._phases[phase]:
            self._go(state, phase)

    @property
    def phase(self) -> int:
        """The phase shown, or being switched to."""
        return self._phase

    @property
    def in_transition(self) -> bool:
        """Whether the phase is still to be shown."""
        return bool(self._coming)

    @property
    def green_time(self) -> float:
        """How long the phase has been shown, s; 0 in a transition."""
        return self._green_steps * self._step_length

    def legal(self) -> tuple[bool, ...]:
        """For each phase, whether a request for it would be carried out by the next `tick()`."""
        others = not self._coming and self._green_steps >= self._min_green
        own = self._green_steps < self._max_green
        return tuple(own if phase == self._phase else others for phase in range(self._offered))

    def request(self, phase: int) -> None:
        """Ask for `phase`. What is not legal yet is done as soon as it is, unless another request replaces it.

        Raises:
            ValueError: no such phase.
        """
        self.follow([(phase, 0.0)])

    def follow(self, plan: Sequence[tuple[int, float]]) -> None:
        """Ask for phases one after the other, each to be shown for its seconds; the last one stays.

        Raises:
            ValueError: no plan, no such phase, or a time that is no multiple of the step length.
        """
        holds = [(self._checked(phase), steps(green, self._step_length, "green")) for phase, green in plan]
        if not holds:
            raise ValueError("an empty plan; expected one (phase, seconds) or more")
        (self._wanted, self._hold), *coming = holds
        self._plan = coming[::-1]

    def settled_in(self, least: int) -> int:
        """After how many ticks, at least `least`, all that was asked for has been shown and another phase is legal."""
        ahead = copy(self)
        ahead._coming, ahead._plan = list(self._coming), list(self._plan)
        ticks = 0
        while ticks < least or not ahead._settled:
            ahead.tick()
            ticks += 1
        return ticks

    @property
    def _settled(self) -> bool:
        done = self._phase == self._wanted and not self._plan and not self._coming
        return done and self._green_steps >= max(self._hold, self._min_green, 1)

    def tick(self) -> str:
        """The state to show in the next simulation step."""
        self._last = self._show()
        return self._last

    def _show(self) -> str:
        if self._coming:
            return self._next()
        if self._plan and self._phase == self._wanted and self._green_steps >= self._hold:
            self._wanted, self._hold = self._plan.pop()
        if self._green_steps >= self._max_green and self._wanted == self._phase:
            self._wanted, self._hold = (self._phase + 1) % self._offered, 0
        if self._wanted != self._phase and self._green_steps >= self._min_green:
            self._go(self._phases[self._phase], self._wanted)
            return self._next()
        self._green_steps += 1
        return self._phases[self._phase]

    @property
    def quiet(self) -> int:
        """How many further ticks would show what the last one did, if nothing else is asked for."""
        if self._coming:
            return sum(1 for _ in takewhile(self._last.__eq__, reversed(self._coming[1:])))
        end = self._max_green if self._wanted == self._phase else self._min_green
        if self._plan and self._wanted == self._phase:
            end = min(end, self._hold)
        return max(0, end - self._green_steps)

    def skip(self, ticks: int) -> None:
        """Let so many ticks pass, all of them quiet."""
        if self._coming:
            del self._coming[len(self._coming) - ticks :]
        else:
            self._green_steps += ticks

    def _go(self, state: str, phase: int) -> None:
        """Line up what is shown from `state` until `phase` shows."""
        green = self._phases[phase]
        self._coming = [green]
        if clearing(state, green):
            amber, red = between(state, green, self._crossings)
            self._coming += [red] * self._all_red + [amber] * self._yellow
        self._phase = phase
        self._green_steps = 0

    def _next(self) -> str:
        state = self._coming.pop()
        if not self._coming:
            self._green_steps = 1
        return state

    def _checked(self, phase: int) -> int:
        if not 0 <= phase < len(self._phases):
            raise ValueError(f"no phase {phase!r}; expected 0 to {len(self._phases) - 1}")
        return int(phase)


def _checked_states(phases: Sequence[str], state: str | None) -> tuple[str, ...]:
    if not phases:
        raise ValueError("a signal without a phase has nothing to show; expected one state or more")
    lengths = {len(each) for each in (*phases, *([] if state is None else [state]))}
    if len(lengths) > 1:
        raise ValueError(f"states of {sorted(lengths)} links; expected as many letters in each of {[*phases, state]}")
    return tuple(phases)
