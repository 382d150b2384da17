"""Where a decision loop runs: in this process while libsumo is free here, else in a worker process of its own."""

import itertools
import logging
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from sumo_gymnasium.backends import libsumo
from sumo_gymnasium.backends.options import last_words
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.envs.loop import DecisionLoop, Episode, Reply
from sumo_gymnasium.envs.remote import Worker, WorkerDied
from sumo_gymnasium.errors import NotRunning, SimulationCrashed
from sumo_gymnasium.renderers.drawing import Frame

logger = logging.getLogger("sumo_gymnasium")
_numbers = itertools.count()


class Host:
    """Runs one `DecisionLoop`, wherever there is room for its simulation, and tells what became of it.

    Attributes:
        loop: gives the static facts; it also runs the episodes that run inline.
        last_episode: the KPIs of the last episode that ended, were it cut short or not; None before.
    """

    def __init__(self, loop: DecisionLoop, config: SumoConfig) -> None:
        self.loop = loop
        self.last_episode: Episode | None = None
        self._config = config
        self._name = f"env-{os.getpid()}-{next(_numbers)}"
        self._episodes = 0
        self._pid = os.getpid()
        self._folder = ""
        self._time = 0.0
        self._worker: Worker | None = None
        self._running = False
        self._said: set[str] = set()
        self._clean: Callable[[], object] = lambda: None

    def reset(self, seed: int) -> Reply:
        """Begin an episode; see `DecisionLoop.reset`."""
        if self._pid == os.getpid():
            self.finish()
        else:
            self._leave_to_parent()
        self._place()
        self._folder = self._new_folder()
        reply: Reply = self._call("reset", seed, self._folder)
        self._running = True
        return reply

    def step(self, actions: Mapping[str, Any]) -> Reply:
        """One decision; see `DecisionLoop.step`."""
        self._must_run()
        reply: Reply = self._call("step", actions)
        self._end(reply.episode)
        return reply

    def query(self, function: Callable[..., Any], *args: Any) -> Any:
        """`function(kernel, *args)` where the loop lives."""
        self._must_run()
        if self._worker is None:
            return self.loop.query(function, *args)
        try:
            return self._worker.call("query", function, *args)
        finally:
            self._running = self._worker.alive

    def render(self) -> Frame:
        """See `DecisionLoop.render`."""
        if self._pid != os.getpid():
            self._must_run()  # says what is wrong
        frame: Frame = self._call("render")
        return frame

    def finish(self) -> None:
        """End the episode that runs, if one does, and keep its KPIs."""
        if self._running and self._pid == os.getpid():
            self._end(self._call("finish"))
            self._running = False

    def close(self) -> None:
        """End everything. In another process than the maker's this does nothing."""
        if self._pid != os.getpid():
            return
        try:
            self.finish()
        finally:
            self._abandon()
            if self._worker is not None:
                self._worker.close()
            self._worker = None
            self._clean()

    def _call(self, method: str, *args: Any) -> Any:
        try:
            result = getattr(self.loop, method)(*args) if self._worker is None else self._worker.call(method, *args)
        except WorkerDied as death:
            self._abandon()
            raise self._crash(death, method, args) from death
        except BaseException:  # Ctrl-C, or an error in somebody's reward: the episode is in an unknown state
            self._abandon()
            raise
        if isinstance(result, Reply):
            self._time = result.time
        return result

    def _place(self) -> None:
        """Decide where this episode runs; a worker that lives is used again."""
        if self._worker is not None and not self._worker.alive:
            self._worker = None
        if self._worker is None and self._needs_worker():
            self._worker = Worker(partial(_itself, self.loop), self._config.step_timeout)

    def _needs_worker(self) -> bool:
        if self._config.host != "auto":
            return self._config.host == "worker"
        return self._config.backend == "libsumo" and not libsumo.is_free()

    def _abandon(self) -> None:
        """Drop an episode of which nothing more is wanted."""
        self._running = False
        if self._worker is None:
            self.loop.close()
        elif self._worker.alive:
            self._worker.call("close")

    def _must_run(self) -> None:
        if self._pid != os.getpid():
            raise NotRunning(
                f"this env belongs to process {self._pid}, and this process ({os.getpid()}) is a fork of it; "
                "call reset() to begin an episode here"
            )
        if not self._running:
            raise NotRunning("no episode is running: call reset() first")

    def _end(self, episode: Episode | None) -> None:
        if episode is None:
            return
        self._running = False
        self.last_episode = episode
        new = [message for message in episode.messages if message not in self._said]
        self._said.update(new)
        if new:
            logger.warning("SUMO said:\n%s", "\n".join(new))

    def _crash(self, death: WorkerDied, method: str, args: tuple[Any, ...]) -> SimulationCrashed:
        said = " ".join(last_words(self._folder))
        action = f", action {args[0]!r}" if method == "step" else ""
        return SimulationCrashed(
            f"{death}; simulated time {self._time:g} s{action}{'; SUMO said: ' + said if said else ''}; "
            "reset() starts a new episode"
        )

    def _leave_to_parent(self) -> None:
        """In a fork: what there was belongs to the parent."""
        self._pid = os.getpid()
        self._name = f"env-{self._pid}-{next(_numbers)}"
        self.loop.forget()
        self._worker, self._running = None, False
        self._clean = lambda: None

    def _new_folder(self) -> str:
        self._episodes += 1
        if self._config.output_dir is not None:
            folder = Path(self._config.output_dir).absolute() / self._name / f"episode-{self._episodes}"
            folder.mkdir(parents=True, exist_ok=True)
            return str(folder)
        self._clean()
        folder_name = tempfile.mkdtemp(prefix="sumo_gymnasium-")
        self._clean = weakref.finalize(self, _remove, folder_name, os.getpid())
        return folder_name


def _itself(loop: DecisionLoop) -> DecisionLoop:
    return loop


def _remove(folder: str, pid: int) -> None:
    if os.getpid() == pid:
        shutil.rmtree(folder, ignore_errors=True)
