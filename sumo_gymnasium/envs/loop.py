"""The decision loop: actions in, simulation steps, outcomes out. The one place that steps the simulation."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from gymnasium.error import DependencyNotInstalled

from sumo_gymnasium.agents import Role
from sumo_gymnasium.backends import BackendError
from sumo_gymnasium.backends.libsumo import GONE
from sumo_gymnasium.backends.options import command_line, diagnose, last_words, max_depart_delay
from sumo_gymnasium.config import SumoConfig, steps
from sumo_gymnasium.errors import NotRunning, ScenarioError, SimulationCrashed
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.metrics import Metric, name_of
from sumo_gymnasium.recording.kpis import read_kpis
from sumo_gymnasium.renderers.drawing import Drawing, Frame, Picture, import_pygame
from sumo_gymnasium.scenarios.scenario import Scenario

SEEDS = 2**31 - 1  # SUMO takes seeds below this

Hook = Callable[[Kernel], None]


class Outcome(NamedTuple):
    """Gymnasium's five values for one agent."""

    observation: Any
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class Episode(NamedTuple):
    """What is left of an episode: its KPIs from SUMO's own files, and what SUMO said."""

    seed: int
    begin: float
    end: float
    kpis: dict[str, Any]
    messages: tuple[str, ...]


class Reply(NamedTuple):
    """What a reset or a step leads to. `episode` is there once the episode has ended."""

    outcomes: dict[str, Outcome]
    time: float
    episode: Episode | None


class DecisionLoop:
    """One simulation and the agents in it. It pickles while SUMO does not run.

    Attributes:
        agents: every agent that there may be.
        kernel: whose static facts, and so the spaces, are there from the start.
        hooks: called with the kernel after every simulation step.
    """

    def __init__(
        self,
        scenario: Scenario,
        config: SumoConfig,
        roles: Sequence[Role],
        hooks: Sequence[Hook] = (),
        drawing: Drawing | None = None,
    ) -> None:
        command_line(scenario, config, os.sep, seed=0)  # refuses wrong options now, before SUMO starts
        self.kernel = Kernel(scenario, config)
        self.hooks = tuple(hooks)
        self._steps = steps(config.decision_interval, self.kernel.simulation.step_length, "decision_interval")
        self._roles = {agent: role for role in roles for agent in role.agents.possible(self.kernel)}
        self.agents = tuple(self._roles)
        self._names = {
            agent: tuple(map(name_of, dict.fromkeys(role.reward.metrics))) for agent, role in self._roles.items()
        }
        self._before: dict[str, dict[Metric, float]] = {}
        self._picture = None if drawing is None else Picture(drawing, self.kernel, tuple(self._roles))
        self._last_frame: Frame | None = None
        self._folder, self._seed, self._options = "", 0, list[str]()

    def reset(self, seed: int, folder: str) -> Reply:
        """Begin an episode. Everything random in it follows from `seed`; SUMO writes its files into `folder`.

        Raises:
            ScenarioError: SUMO does not accept its input.
        """
        self.kernel.close()
        self._last_frame = None
        self._seed = int(np.random.default_rng(seed).integers(SEEDS))
        self._folder = folder
        self._options = command_line(self.kernel.scenario, self.kernel.config, folder, self._seed)
        self._start()
        with self._running_sumo():
            self._before = {agent: self._measure(agent) for agent in self._present()}
            outcomes = {agent: self._outcome(agent, 0.0) for agent in self._before}
        return Reply(outcomes, self.kernel.simulation.time, None)

    def step(self, actions: Mapping[str, Any]) -> Reply:
        """Apply the agents' actions and simulate until they are due again, or until the scenario's end.

        Raises:
            SimulationCrashed: SUMO ended; the loop can be reset.
        """
        with self._running_sumo():
            for agent, action in actions.items():
                self._roles[agent].action.apply(self.kernel, agent, action)
            self._simulate()
            outcomes = {agent: self._reward(agent) for agent in self._present()}
        time = self.kernel.simulation.time
        episode = self.finish() if self.kernel.simulation.over else None
        if episode is not None:
            for outcome in outcomes.values():
                outcome.info["kpis"] = episode.kpis
        return Reply(outcomes, time, episode)

    def query(self, function: Callable[..., Any], *args: Any) -> Any:
        """`function(kernel, *args)`."""
        with self._running_sumo():
            return function(self.kernel, *args)

    def render(self) -> Frame:
        """What the simulation looks like now or, once the episode has ended, what it looked like then."""
        if self._picture is not None and self.kernel.simulation.running:
            with self._running_sumo():
                return self._picture.frame()
        if self._picture is not None:
            import_pygame()
        if self._last_frame is None:
            raise NotRunning("there is no episode to draw: call reset() first")
        return self._last_frame.copy()

    def finish(self) -> Episode:
        """End the running episode, and read its KPIs."""
        simulation = self.kernel.simulation
        with self._running_sumo():
            end, alive = simulation.time, len(self.kernel.vehicle.loaded)
            self._last_frame = self._frame_at_the_end()
        self.kernel.close()
        kpis = read_kpis(
            self._folder, simulation.begin, end, alive=alive, max_depart_delay=max_depart_delay(self._options)
        )
        return Episode(self._seed, simulation.begin, end, kpis.as_dict(), tuple(last_words(self._folder)))

    def close(self) -> None:
        """End SUMO without a look back."""
        self._last_frame = None
        self.kernel.close()

    def forget(self) -> None:
        """See `Kernel.forget`."""
        self.kernel.forget()

    def _frame_at_the_end(self) -> Frame | None:
        try:
            return None if self._picture is None else self._picture.frame()
        except DependencyNotInstalled:  # SB3 asks for rgb_array and never renders; who does render is told then
            return None

    @contextmanager
    def _running_sumo(self) -> Iterator[None]:
        """While SUMO is needed: where it is not there, or goes away, say so and what its last words were."""
        simulation = self.kernel.simulation
        if not simulation.running:
            raise NotRunning("the episode is over; call reset() first")
        try:
            self.kernel.check()
            yield
        except GONE as error:
            self.kernel.close()
            said = " ".join(dict.fromkeys([str(error), *last_words(self._folder)]))
            raise SimulationCrashed(
                f"SUMO ended after t={simulation.time:g} s: {said}; reset() starts a new episode"
            ) from error

    def _start(self) -> None:
        try:
            self.kernel.start(self._options)
        except BackendError as error:
            raise ScenarioError(f"SUMO does not start: {diagnose(self._options, str(error))}") from error

    def _simulate(self) -> None:
        kernel, simulation = self.kernel, self.kernel.simulation
        end = min(simulation.step + self._steps, simulation.last_step)
        while simulation.step < end:
            kernel.step(1 if self.hooks else end - simulation.step)
            for hook in self.hooks:
                hook(kernel)

    def _present(self) -> list[str]:
        return list(self._roles)

    def _measure(self, agent: str) -> dict[Metric, float]:
        return {metric: metric(self.kernel, agent) for metric in self._roles[agent].reward.metrics}

    def _reward(self, agent: str) -> Outcome:
        before, after = self._before[agent], self._measure(agent)
        self._before[agent] = after
        return self._outcome(agent, float(self._roles[agent].reward(before, after)))

    def _outcome(self, agent: str, reward: float) -> Outcome:
        kernel, role = self.kernel, self._roles[agent]
        simulation = kernel.simulation
        metrics = dict(zip(self._names[agent], self._before[agent].values(), strict=True))
        info = {"time": simulation.time, "metrics": metrics, **role.action.info(kernel, agent)}
        terminated = bool(role.terminations) and any(ends(kernel, agent) for ends in role.terminations)
        return Outcome(role.observation(kernel, agent), reward, terminated, simulation.over, info)
