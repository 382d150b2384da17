"""The traffic light kernel: programs, phases and links of each signal, and the clocks of those taken over."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sumo_gymnasium.backends import Backend
from sumo_gymnasium.config import SignalTiming
from sumo_gymnasium.errors import NotRunning, ScenarioError
from sumo_gymnasium.kernels.simulation import SimulationKernel
from sumo_gymnasium.scenarios.net import Link, Net
from sumo_gymnasium.signals.controller import SignalController
from sumo_gymnasium.signals.program import NEMA, Program, following, greens

LETTERS = frozenset("rRyYgGuUsoO")  # what SUMO accepts in a state


class Static(NamedTuple):
    """What the files say of one signal."""

    program: Program
    phases: tuple[str, ...]
    crossings: frozenset[int]
    incoming_lanes: tuple[str, ...]
    outgoing_lanes: tuple[str, ...]


class Movement(NamedTuple):
    """All links from one approach (an edge) to one exit (an edge)."""

    origin: str
    target: str
    links: tuple[Link, ...]


class Shown(NamedTuple):
    """What a signal's own program shows: a phase, or the way to it."""

    state: str
    phase: int
    since: float
    """The second at which the phase began to show; NOT_YET in a transition."""
    until: float
    """Nothing of this changes before this second, as long as the state is the same."""


NOT_YET = float("inf")


class TrafficLightKernel:
    """All signals. Each runs its own program until a phase is first requested of it; from then on it is ours.

    Attributes:
        ids: every signal that has a program and a link, sorted.
        timing: min and max green, yellow and all-red.
    """

    def __init__(
        self, net: Net, programs: Mapping[str, Program], timing: SignalTiming, simulation: SimulationKernel
    ) -> None:
        self.timing = timing
        self.ids = tuple(signal for signal in net.links if signal in programs)
        self._net, self._programs, self._simulation = net, programs, simulation
        self._static: dict[str, Static] = {}
        self._controllers: dict[str, SignalController] = {}
        self._shown: dict[str, str] = {}
        self._programs_show: dict[str, Shown] = {}
        self._last_read: dict[str, Shown] = {}
        self._trafficlight: Any = None
        self._checked = False

    def start(self, backend: Backend) -> None:
        """A new episode begins in `backend`: every signal runs its own program.

        Raises:
            ScenarioError: SUMO has other programs than the files.
        """
        self._trafficlight = backend.trafficlight
        self._controllers.clear()
        self._shown.clear()
        self._programs_show.clear()
        self._last_read.clear()
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

    def program(self, signal: str) -> Program:
        """The program that is active at the scenario's begin."""
        return self.static(signal).program

    def phases(self, signal: str) -> tuple[str, ...]:
        """The states that an agent may choose; see `signals.program.greens`."""
        return self.static(signal).phases

    def must_offer_phases(self, signal: str) -> None:
        """Check that there is something to choose.

        Raises:
            ScenarioError: no such signal, or none of its states is green.
        """
        if not self.phases(signal):
            program = self.program(signal)
            raise ScenarioError(
                f"signal {signal!r} has no green in its active program {program.program_id!r} (type {program.type}): "
                "nothing to choose. Control another signal, or load a program with greens in an additional file"
            )

    def links(self, signal: str) -> tuple[Link, ...]:
        """All ways across the signal, sorted by their index in its state."""
        return self._net.links[signal]

    def movements(self, signal: str) -> tuple[Movement, ...]:
        """The ways of vehicles across the signal from edge to edge, in order of their first link."""
        lanes = self._net.lanes
        found: dict[tuple[str, str], list[Link]] = {}
        for link in self._net.links[signal]:
            if not link.crossing:
                found.setdefault((lanes[link.origin].edge, lanes[link.target].edge), []).append(link)
        return tuple(Movement(origin, target, tuple(links)) for (origin, target), links in found.items())

    def incoming_lanes(self, signal: str) -> tuple[str, ...]:
        """The lanes for vehicles that end at the signal, each once, in order of the links."""
        return self.static(signal).incoming_lanes

    def outgoing_lanes(self, signal: str) -> tuple[str, ...]:
        """The lanes for vehicles that begin behind the signal, each once, in order of the links."""
        return self.static(signal).outgoing_lanes

    def crossings(self, signal: str) -> frozenset[int]:
        """The indices that rule nothing but pedestrian crossings."""
        return self.static(signal).crossings

    def foes(self, signal: str) -> frozenset[tuple[int, int]]:
        """Pairs of indices (low, high) whose links cross each other."""
        return self._net.foes[signal]

    def state(self, signal: str) -> str:
        """What the signal shows now, one letter a link index."""
        return str(self._running.getRedYellowGreenState(signal))

    def phase(self, signal: str) -> int:
        """The phase that shows, or is being switched to."""
        controller = self._controllers.get(signal)
        return self._own(signal).phase if controller is None else controller.phase

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
        controller = self._controllers.get(signal)
        if controller is None:
            controller = self._controllers[signal] = self._controller(signal)
            self._running.setProgram(signal, "off")  # else a WAUT that switches to "off" later would take it from us
        controller.request(phase)

    def release(self, signal: str) -> None:
        """Give the signal back to the program that was active at the scenario's begin."""
        if self._controllers.pop(signal, None) is not None:
            self._shown.pop(signal, None)
            self._programs_show.pop(signal, None)
            self._last_read.pop(signal, None)
            self._running.setProgram(signal, self.program(signal).program_id)

    def static(self, signal: str) -> Static:
        """What the files say of the signal.

        Raises:
            ScenarioError: there is no such signal, or its program does not fit its links.
        """
        found = self._static.get(signal)
        if found is None:
            found = self._static[signal] = self._read(signal)
        return found

    def _read(self, signal: str) -> Static:
        if signal not in self.ids:
            raise ScenarioError(
                f"no signal {signal!r} with a program and links; there are: {', '.join(self.ids) or 'none'}"
            )
        program, links = self._programs[signal], self._net.links[signal]
        _check_states(program, max(link.index for link in links) + 1)
        by_vehicles = frozenset(link.index for link in links if not link.crossing)
        crossings = frozenset(link.index for link in links) - by_vehicles
        unused = frozenset(range(max(map(len, program.states), default=0))) - by_vehicles - crossings
        drivable = [link for link in links if not link.crossing and self._net.lanes[link.origin].vehicles]
        return Static(
            program=program,
            phases=greens(program, crossings, unused),
            crossings=crossings,
            incoming_lanes=tuple(dict.fromkeys(link.origin for link in drivable)),
            outgoing_lanes=tuple(dict.fromkeys(link.target for link in drivable)),
        )

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
        since, until = NOT_YET, now + self._simulation.step_length
        if program.type == "static":  # SUMO's own count of what was spent leaves out what was before begin
            until = float(self._running.getNextSwitch(signal))
            begun = until - program.durations[index]
        elif program.type == NEMA:  # SUMO's own count never starts anew: from the first reading on
            begun = last.since if last is not None and last.state == state else now
        else:
            begun = now - float(self._running.getSpentDuration(signal))
        return Shown(state, phase, begun if state in static.phases else since, until)

    def _controller(self, signal: str) -> SignalController:
        self.must_offer_phases(signal)
        return SignalController(
            self.phases(signal),
            self.timing,
            self._simulation.step_length,
            crossings=self.crossings(signal),
            phase=self.phase(signal),
            state=self.state(signal),
            shown=self.green_time(signal),
        )

    @property
    def _running(self) -> Any:
        if self._trafficlight is None:
            raise NotRunning("SUMO is not running; call reset() first")
        return self._trafficlight


def _check_states(program: Program, links: int) -> None:
    for phase, state in enumerate(program.states):
        wrong = set(state) - LETTERS
        if wrong:
            raise ScenarioError(
                f"Illegal character {min(wrong)!r} in tlLogic {program.signal!r}, program {program.program_id!r} in "
                f"phase {phase}; expected letters of {''.join(sorted(LETTERS))}"
            )
        if len(state) < links:
            raise ScenarioError(
                f"Invalid linkIndex '{links - 1}' in connection controlled by {program.signal!r}: phase {phase} of "
                f"program {program.program_id!r} has {len(state)} letters ({state!r}), expected at least {links}"
            )
