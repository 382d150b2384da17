"""The decision loop: actions in, simulation steps, outcomes out. The one place that steps the simulation."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray

from sumo_gymnasium.agents import Role
from sumo_gymnasium.backends import BackendError
from sumo_gymnasium.backends.libsumo import GONE
from sumo_gymnasium.backends.options import command_line, diagnose, last_words, max_depart_delay
from sumo_gymnasium.config import SumoConfig, steps, steps_up
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
    reward: Any
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
        self._durations = {agent: getattr(role.action, "duration", None) for agent, role in self._roles.items()}
        self._before: dict[str, dict[Metric, float]] = {}
        self._decided: dict[str, int] = {}  # the step of each agent's last decision
        self._due: dict[str, int] = {}  # and of its next one
        self._actions: dict[str, Any] = {}  # the last ones
        self._picture = None if drawing is None else Picture(drawing, self.kernel, tuple(self._roles))
        self._last_frame: Frame | None = None
        self._folder, self._seed, self._options = "", 0, list[str]()

    def spaces(self) -> dict[str, tuple[spaces.Space[Any], spaces.Space[Any]]]:
        """Observation and action space of each agent."""
        return {agent: role.spaces(self.kernel, agent) for agent, role in self._roles.items()}

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
        scenario = self.kernel.scenario.episode(random, folder, options or {})
        self._options = command_line(scenario, self.kernel.config, folder, self._seed)
        self._start()
        with self._running_sumo():
            self._decided, self._due = dict.fromkeys(self.agents, 0), dict.fromkeys(self.agents, 0)
            self._actions.clear()
            self._before = {agent: self._measure(agent) for agent in self.agents}
            outcomes = {agent: self._outcome(agent, 0.0, due=True) for agent in self.agents}
        return Reply(outcomes, self.kernel.simulation.time, None)

    def step(self, actions: Mapping[str, Any]) -> Reply:
        """Apply the actions of the agents that are due, and simulate until one is due again, or until the end.

        Actions of agents that are not due do not count. One that is due and gives none is asked again after a decision
        interval.

        Raises:
            SimulationCrashed: SUMO ended; the loop can be reset.
        """
        with self._running_sumo():
            self._act(actions)
            self._simulate()
            outcomes = {agent: self._result(agent) for agent in self.agents}
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
            self.kernel.start(self._options, self._seed)
        except BackendError as error:
            raise ScenarioError(f"SUMO does not start: {diagnose(self._options, str(error))}") from error

    def _act(self, actions: Mapping[str, Any]) -> None:
        now = self.kernel.simulation.step
        for agent in self.agents:
            if self._due[agent] <= now:
                self._decided[agent], self._due[agent] = now, now + self._steps
                if agent in actions:
                    self._due[agent] = now + self._apply(agent, actions[agent])

    def _apply(self, agent: str, action: Any) -> int:
        """Command it; for how many steps the decision holds."""
        self._actions[agent] = action
        self._roles[agent].action.apply(self.kernel, agent, action)
        duration = self._durations[agent]
        if duration is None:
            return self._steps
        return max(1, steps_up(duration(self.kernel, agent, action), self.kernel.simulation.step_length))

    def _simulate(self) -> None:
        kernel, simulation = self.kernel, self.kernel.simulation
        due = min(self._due.values(), default=simulation.step + self._steps)
        end = min(due, simulation.last_step)
        while simulation.step < end:
            kernel.step(1 if self.hooks else end - simulation.step)
            for hook in self.hooks:
                hook(kernel)

    def _measure(self, agent: str) -> dict[Metric, float]:
        return {metric: metric(self.kernel, agent) for metric in self._roles[agent].reward.metrics}

    def _result(self, agent: str) -> Outcome:
        """What became of a decision that is over; of one that still holds, a look at how things stand."""
        simulation = self.kernel.simulation
        if simulation.step < self._due[agent] and not simulation.over:
            return self._outcome(agent, self._nothing(agent), due=False)
        before, after = self._before[agent], self._measure(agent)
        self._before[agent] = after
        return self._outcome(agent, self._roles[agent].reward(before, after), due=True)

    def _nothing(self, agent: str) -> Any:
        """A reward of zero, in the shape of the agent's rewards."""
        before = self._before[agent]
        return 0.0 * self._roles[agent].reward(before, before)

    def _outcome(self, agent: str, reward: Any, due: bool) -> Outcome:
        kernel, role = self.kernel, self._roles[agent]
        simulation = kernel.simulation
        info = {
            "time": simulation.time,
            "due": due,
            "elapsed": round((simulation.step - self._decided[agent]) * simulation.step_length, 3),
            "metrics": dict(zip(self._names[agent], self._before[agent].values(), strict=True)),
            **role.action.info(kernel, agent),
        }
        if not due and "action_mask" in info:
            info["action_mask"] = _only(self._actions.get(agent, 0), info["action_mask"])
        terminated = bool(role.terminations) and any(ends(kernel, agent) for ends in role.terminations)
        reward = reward if isinstance(reward, np.ndarray) else float(reward)
        return Outcome(role.observation(kernel, agent), reward, terminated, simulation.over, info)


def _only(action: Any, mask: NDArray[np.int8]) -> NDArray[np.int8]:
    """A mask that leaves the action that still holds."""
    mask = np.zeros_like(mask)
    mask[int(action)] = 1
    return mask
