"""The traffic light kernel: programs, phases and links of each signal, and the clocks of those taken over."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sumo_gymnasium.backends import Backend
from sumo_gymnasium.config import SignalTiming, steps_up
from sumo_gymnasium.errors import NotRunning, ScenarioError
from sumo_gymnasium.kernels.signal_files import SignalFiles, Static
from sumo_gymnasium.kernels.simulation import SimulationKernel
from sumo_gymnasium.scenarios.net import Net
from sumo_gymnasium.signals.controller import SignalController
from sumo_gymnasium.signals.program import NEMA, Program, following


class Shown(NamedTuple):
    """What a signal's own program shows: a phase, or the way to it."""

    state: str
    phase: int
    since: float
    """The second at which the phase began to show; NOT_YET in a transition."""
    until: float
    """Nothing of this changes before this second, as long as the state is the same."""


NOT_YET = float("inf")


class TrafficLightKernel(SignalFiles):
    """All signals. Each runs its own program until a phase is first requested of it; from then on it is ours."""

    def __init__(
        self,
        net: Net,
        programs: Mapping[str, tuple[Program, ...]],
        timings: Callable[[str], SignalTiming],
        simulation: SimulationKernel,
    ) -> None:
        super().__init__(net, programs)
        self._timing_of, self._timings = timings, dict[str, SignalTiming]()
        self._simulation = simulation
        self._controllers: dict[str, SignalController] = {}
        self._shown: dict[str, str] = {}
        self._programs_show: dict[str, Shown] = {}
        self._types: dict[str, str] = {}
        self._last_read: dict[str, Shown] = {}
        self._trafficlight: Any = None
        self._checked = False
        self._with_others: tuple[str, ...] = ()

    def start(self, backend: Backend) -> None:
        """A new episode begins in `backend`: every signal runs its own program.

        Raises:
            ScenarioError: SUMO has other programs than the files.
        """
        self._trafficlight = backend.trafficlight
        self._controllers.clear()
        self._types.clear()
        self._shown.clear()
        self._programs_show.clear()
        self._last_read.clear()
        for signal in self._with_others:
            self._trafficlight.setProgram(signal, self.program(signal).program_id)
        if not self._checked:
            for signal in self._static:
                self._check(signal)
            self._checked = True

    def stop(self) -> None:
        """The backend is gone."""
        self._trafficlight = None

    def update(self, count: int) -> None:
        """Steps were made: what was read is old."""
        self._programs_show.clear()

    def command(self, most: int) -> int:
        """Tell SUMO what the signals taken over show from now on; for how many steps that is so, up to `most`."""
        for signal, controller in self._controllers.items():
            state = controller.tick()
            if state != self._shown.get(signal):
                self._trafficlight.setRedYellowGreenState(signal, state)
                self._shown[signal] = state
        if most > 1:
            controllers = self._controllers.values()
            most = min((most, *(1 + controller.quiet for controller in controllers)))
            for controller in controllers:
                controller.skip(most - 1)
        return most

    def expect_others(self, signals: Iterable[str]) -> None:
        """SUMO will have further programs of `signals`, and the last one loaded would run: theirs is to."""
        self._with_others = tuple(signals)

    def timing_of(self, signal: str) -> SignalTiming:
        """Its min and max green, yellow and all-red."""
        found = self._timings.get(signal)
        if found is None:
            found = self._timings[signal] = self._timing_of(signal)
        return found

    def state(self, signal: str) -> str:
        """What the signal shows now, one letter a link index."""
        return str(self._running.getRedYellowGreenState(signal))

    def phase(self, signal: str) -> int:
        """The phase that shows, or is being switched to; of another program's green, the one most like it."""
        controller = self._controllers.get(signal)
        if controller is None:
            return self._own(signal).phase
        static = self.static(signal)
        if controller.phase < len(static.phases):
            return controller.phase
        other = static.others[controller.phase - len(static.phases)]
        return following(static.program, static.phases, other, index=-1)

    def green_time(self, signal: str) -> float:
        """How long the phase has been showing, s; 0 while yellow and all-red show."""
        controller = self._controllers.get(signal)
        if controller is not None:
            return controller.green_time
        return max(0.0, round(self._simulation.time - self._own(signal).since, 3))  # SUMO keeps milliseconds

    def legal(self, signal: str) -> tuple[bool, ...]:
        """For each phase, whether a request would be carried out at once."""
        controller = self._controllers.get(signal)
        if controller is None:
            controller = self._controller(signal)
        return controller.legal()

    def request(self, signal: str, phase: int) -> None:
        """Show `phase` as soon as it is legal. The first request takes the signal over from its program."""
        self._taken_over(signal).request(phase)

    def follow(self, signal: str, plan: Sequence[tuple[int, float]]) -> None:
        """Show phases one after the other, each for its seconds; the last one stays. Takes the signal over, too."""
        self._taken_over(signal).follow(plan)

    def settled_in(self, signal: str, least: float) -> float:
        """In how many seconds, at least `least`, what was asked for has been shown and another phase is legal."""
        step_length = self._simulation.step_length
        controller = self._controllers.get(signal) or self._controller(signal)
        return controller.settled_in(max(1, steps_up(least, step_length))) * step_length

    def run(self, signal: str, program: Program) -> None:
        """Have SUMO run `program`, which it has loaded, from what shows now on; its states are those of the own one."""
        index = int(self._running.getPhase(signal))
        self.release(signal)
        self._running.setProgram(signal, program.program_id)
        if int(self._running.getPhase(signal)) != index:
            self._running.setPhase(signal, index)
        self._types[signal] = program.type

    def release(self, signal: str) -> None:
        """Give the signal back to the program that was active at the scenario's begin."""
        taken = self._controllers.pop(signal, None), self._types.pop(signal, None)
        if any(taken):
            self._shown.pop(signal, None)
            self._programs_show.pop(signal, None)
            self._last_read.pop(signal, None)
            self._running.setProgram(signal, self.program(signal).program_id)

    def _check(self, signal: str) -> None:
        """Compare what the files say of the signal with what SUMO has: spaces were made from the files."""
        ours, theirs = self.program(signal).program_id, self._running.getProgram(signal)
        links = max(link.index for link in self.links(signal)) + 1
        if ours != theirs or links > len(self.state(signal)):
            raise ScenarioError(
                f"signal {signal!r}: the files give program {ours!r} for {links} links, SUMO runs {theirs!r} "
                f"with state {self.state(signal)!r}; please report this network"
            )

    def _own(self, signal: str) -> Shown:
        """What a signal that runs its own program shows; looked at once a step."""
        shown = self._programs_show.get(signal)
        if shown is None:
            shown, now = self._last_read.get(signal), self._simulation.time
            if shown is None or now >= shown.until or self.state(signal) != shown.state:
                shown = self._last_read[signal] = self._read_own(self.static(signal), shown, now)
            self._programs_show[signal] = shown
        return shown

    def _read_own(self, static: Static, last: Shown | None, now: float) -> Shown:
        signal, program, state = static.program.signal, static.program, self.state(static.program.signal)
        index = int(self._running.getPhase(signal))
        phase = following(program, static.phases, state, index) if static.phases else 0
        kind, until = self._types.get(signal, program.type), now + self._simulation.step_length
        if kind == "static":  # SUMO's own count of what was spent leaves out what was before begin
            until = float(self._running.getNextSwitch(signal))
            begun = until - program.durations[index]
        elif kind == NEMA:  # SUMO's own count never starts anew: from the first reading on
            begun = last.since if last is not None and last.state == state else now
        else:
            begun = now - float(self._running.getSpentDuration(signal))
        return Shown(state, phase, begun if state in static.phases else NOT_YET, until)

    def _taken_over(self, signal: str) -> SignalController:
        controller = self._controllers.get(signal)
        if controller is None:
            controller = self._controllers[signal] = self._controller(signal)
            self._running.setProgram(signal, "off")  # else a WAUT that switches to "off" later would take it from us
        return controller

    def _controller(self, signal: str) -> SignalController:
        self.must_offer_phases(signal)
        return SignalController(
            (*self.phases(signal), *self.static(signal).others),
            self.timing_of(signal),
            self._simulation.step_length,
            crossings=self.crossings(signal),
            phase=self.phase(signal),
            state=self.state(signal),
            shown=self.green_time(signal),
            offered=len(self.phases(signal)),
        )

    @property
    def _running(self) -> Any:
        if self._trafficlight is None:
            raise NotRunning("SUMO is not running; call reset() first")
        return self._trafficlight
