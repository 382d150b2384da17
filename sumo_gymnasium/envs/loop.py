"""The decision loop: actions in, simulation steps, outcomes out. The one place that steps the simulation."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from gymnasium import Space
from gymnasium.error import DependencyNotInstalled

from sumo_gymnasium.agents import Role
from sumo_gymnasium.backends import BackendError
from sumo_gymnasium.backends.libsumo import GONE
from sumo_gymnasium.backends.options import command_line, diagnose, last_words, max_depart_delay
from sumo_gymnasium.config import SumoConfig, steps
from sumo_gymnasium.envs.life import Life, Outcome
from sumo_gymnasium.errors import NotRunning, ScenarioError, SimulationCrashed
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.recording.kpis import read_kpis
from sumo_gymnasium.renderers.drawing import Drawing, Frame, Picture, import_pygame
from sumo_gymnasium.scenarios.scenario import Scenario

SEEDS = 2**31 - 1  # SUMO takes seeds below this

Hook = Callable[[Kernel], None]


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
        spaces: observation and action space of each.
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
        self.spaces: dict[str, tuple[Space[Any], Space[Any]]] = {
            agent: role.spaces(self.kernel, agent) for agent, role in self._roles.items()
        }
        self._programs = {
            agent: role.action.programs(self.kernel, agent)
            for agent, role in self._roles.items()
            if hasattr(role.action, "programs")
        }
        self.kernel.traffic_light.expect_others(self._programs)
        self._by_role = tuple(roles)
        self._free: dict[int, list[str]] = {}  # by role the names that nobody has had yet
        self._known: set[str] = set()  # SUMO's ids of all who were agents
        self._lives: dict[str, Life] = {}  # by name
        self._picture = None if drawing is None else Picture(drawing, self.kernel, tuple(self._roles))
        self._last_frame: Frame | None = None
        self._folder, self._seed, self._options = "", 0, list[str]()

    def reset(self, seed: int, folder: str, options: Mapping[str, Any] | None = None) -> Reply:
        """Begin an episode. Everything random in it follows from `seed`; SUMO writes its files into `folder`.

        Raises:
            ScenarioError: SUMO does not accept its input.
            ValueError: an option with a value that cannot be; see `Scenario.episode`.
        """
        self.kernel.close()
        self._last_frame = None
        random = np.random.default_rng(seed)
        self._seed = int(random.integers(SEEDS))
        self._folder = folder
        scenario = self._with_programs(
            self.kernel.scenario.episode(random, folder, {} if options is None else options), folder
        )
        self.kernel.enter(scenario)
        self._options = command_line(scenario, self.kernel.config, folder, self._seed)
        self._start()
        with self._running_sumo():
            outcomes = self._begin()
        return Reply(outcomes, self.kernel.simulation.time, None)

    def step(self, actions: Mapping[str, Any]) -> Reply:
        """Apply the actions of the agents that are due, and simulate until one is due again, or until the end.

        Actions of agents that are not due do not count. One that is due and gives none is asked again after a decision
        interval.

        Raises:
            SimulationCrashed: SUMO ended; the loop can be reset.
        """
        with self._running_sumo():
            self.kernel.vehicle.clear_events()
            self._act(actions)
            outcomes = self._go_on()
            over = self._over()
        time = self.kernel.simulation.time
        episode = self.finish() if over else None
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
            self.kernel.start(self._options, self._seed)
        except BackendError as error:
            raise ScenarioError(f"SUMO does not start: {diagnose(self._options, str(error))}") from error

    def _with_programs(self, scenario: Scenario, folder: str) -> Scenario:
        """With the programs that actions need SUMO to know from the start."""
        if not self._programs:
            return scenario
        file = Path(folder) / "programs.add.xml"
        file.write_text(f"<additional>{''.join(self._programs.values())}</additional>", encoding="utf-8")
        return replace(scenario, additional_files=(*scenario.additional_files, str(file)))

    def _begin(self) -> dict[str, Outcome]:
        """The first agents of an episode."""
        self._known.clear()
        self._lives.clear()
        for place, role in enumerate(self._by_role):
            self._free[place] = list(role.agents.possible(self.kernel))
            role.agents.begin(self.kernel)
        outcomes = self._join()
        while self._roles and not outcomes and not self._over():
            outcomes = self._go_on()
        if self._roles and not outcomes:
            raise ScenarioError(
                f"scenario {self.kernel.scenario.name!r}: no agent came up to t={self.kernel.simulation.time:g} s, and "
                "none can come; look at the demand, and at which vehicles are to be agents"
            )
        return outcomes

    def _act(self, actions: Mapping[str, Any]) -> None:
        now = self.kernel.simulation.step
        for name, life in self._lives.items():
            if life.due <= now:
                if name in actions:
                    life.act(actions[name])
                else:
                    life.decide()

    def _go_on(self) -> dict[str, Outcome]:
        """Simulate until an agent is due; while nobody is there, until somebody comes, or nobody can any more."""
        outcomes: dict[str, Outcome] = {}
        while True:
            self._simulate()
            outcomes.update(self._results())
            outcomes.update(self._join())
            if self._lives or not self._roles or self._over():
                return outcomes

    def _over(self) -> bool:
        """Whether the episode ends here: at the scenario's end, or where no agent is left and none can come."""
        simulation = self.kernel.simulation
        return simulation.over or (bool(self._roles) and not self._lives and not self._may_come())

    def _may_come(self) -> bool:
        return any(self._free.values()) and self.kernel.simulation.expected > 0

    def _results(self) -> dict[str, Outcome]:
        """The outcomes of all, and the end of those that are gone."""
        outcomes = {name: life.result() for name, life in self._lives.items()}
        for name, outcome in outcomes.items():
            if outcome.terminated or outcome.truncated:
                self._lives.pop(name).end()
        return outcomes

    def _join(self) -> dict[str, Outcome]:
        """Let those that have come be agents, as long as there are names."""
        outcomes = {}
        for place, role in enumerate(self._by_role):
            free = self._free[place]
            for one in role.agents.present(self.kernel) if free and not self.kernel.simulation.over else ():
                if one not in self._known and free:
                    self._known.add(one)
                    name = free.pop(0)
                    life = Life(name, one, role, self.kernel, self._steps, self.spaces[name][1])
                    self._lives[name] = life
                    outcomes[name] = life.first()
        return outcomes

    def _simulate(self) -> None:
        kernel, simulation = self.kernel, self.kernel.simulation
        nobody = simulation.step + (1 if self._roles else self._steps)  # who comes is an agent at once
        due = min((life.due for life in self._lives.values()), default=nobody)
        end = min(due, simulation.last_step)
        while simulation.step < end:
            kernel.step(1 if self.hooks else end - simulation.step)
            for hook in self.hooks:
                hook(kernel)
