"""Where a decision loop runs: in this process while libsumo is free here, else in a worker process of its own."""

import itertools
import logging
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from sumo_gymnasium.backends import libsumo
from sumo_gymnasium.backends.options import last_words
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.envs.loop import DecisionLoop, Episode, Reply
from sumo_gymnasium.envs.remote import Worker, WorkerDied
from sumo_gymnasium.errors import HostBusy, NotRunning, ScenarioError, SimulationCrashed, SumoGymnasiumError
from sumo_gymnasium.renderers.drawing import Frame

logger = logging.getLogger("sumo_gymnasium")
_numbers = itertools.count()

FINISH_TIMEOUT = 120.0  # s, for SUMO to write its files, where the user sets no limit


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
        self._worker: Worker | None = None
        self._running = False
        self._episodes = 0
        self._folder = ""
        self._time = 0.0
        self._said: set[str] = set()
        self._settle()

    def reset(self, seed: int, options: Mapping[str, Any] | None = None) -> Reply:
        """Begin an episode; see `DecisionLoop.reset`."""
        if self._pid != os.getpid():
            self._leave_to_parent()
        self.finish()
        self._place()
        self._folder = self._new_folder()
        reply = self._change("reset", seed, self._folder, options)
        self._running = True
        return reply

    def step(self, actions: Mapping[str, Any]) -> Reply:
        """One decision; see `DecisionLoop.step`."""
        self._must_run()
        return self._change("step", actions)

    def query(self, function: Callable[..., Any], *args: Any) -> Any:
        """`function(kernel, *args)` where the loop lives."""
        self._must_run()
        return self._ask("query", function, *args)

    def render(self) -> Frame:
        """See `DecisionLoop.render`."""
        self._must_be_ours()
        frame: Frame = self._ask("render")
        return frame

    def finish(self) -> None:
        """End the episode that runs, if one does, and keep its KPIs; if they are lost, say so and go on."""
        if not self._running or self._pid != os.getpid():
            return
        self.last_episode = None
        try:
            self._keep(self._ask("finish"))
        except SumoGymnasiumError as error:
            self._abandon()
            logger.warning("the KPIs of the episode that was cut short are lost: %s", error)
        except BaseException:
            self._abandon()
            raise

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

    def _change(self, method: str, *args: Any) -> Reply:
        """Have the loop go on. If that fails, by Ctrl-C above all, the episode is in an unknown state, and dropped."""
        try:
            reply: Reply = self._ask(method, *args)
        except BaseException:
            self._abandon()
            raise
        self._time = reply.time
        if reply.episode is not None:
            self._keep(reply.episode)
        return reply

    def _ask(self, method: str, *args: Any) -> Any:
        """Have the loop do something, wherever it lives."""
        if self._worker is None:
            return getattr(self.loop, method)(*args)
        try:
            return self._worker.call(method, *args, timeout=self._limit(method))
        except WorkerDied as death:
            self._running = False
            raise self._crash(death, method, args) from death

    def _limit(self, method: str) -> float | None:
        """How long the worker may take, s: loading a network is no step, and an episode must end even so."""
        if method == "reset":
            return None
        return self._config.step_timeout or (FINISH_TIMEOUT if method in ("finish", "close") else None)

    def _abandon(self) -> None:
        """Want nothing more of the episode."""
        self._running = False
        _close(self.loop, self._pid)
        if self._worker is not None and self._worker.alive:
            with suppress(WorkerDied):
                self._worker.call("close", timeout=self._limit("close"))

    def _place(self) -> None:
        """Decide where this episode runs; a worker that lives is used again."""
        if self._worker is not None and not self._worker.alive:
            self._worker = None
        if self._worker is None and self._needs_worker():
            try:
                self._worker = Worker(partial(_itself, self.loop))
            except WorkerDied as death:
                raise self._crash(death, "start", ()) from death

    def _needs_worker(self) -> bool:
        config = self._config
        if config.host == "worker":
            return True
        if config.backend != "libsumo" or libsumo.claim(self.loop):
            return False
        if config.host == "inline":
            raise HostBusy(
                "host='inline', but libsumo runs another simulation in this process, and there can be only one; "
                "close that, or make the env with host='auto'"
            )
        return True

    def _must_run(self) -> None:
        self._must_be_ours()
        if not self._running:
            raise NotRunning("no episode is running: call reset() first")

    def _must_be_ours(self) -> None:
        if self._pid != os.getpid():
            raise NotRunning(
                f"this env belongs to process {self._pid}, and this process ({os.getpid()}) is a fork of it; "
                "call reset() to begin an episode here"
            )

    def _keep(self, episode: Episode) -> None:
        """The episode has ended as it should."""
        self._running = False
        libsumo.release(self.loop)
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
        self.loop.forget()
        self._worker, self._running = None, False
        self._settle()

    def _settle(self) -> None:
        """This process is ours from now on: an env that is dropped, or alive at its exit, leaves nothing behind."""
        self._pid = os.getpid()
        self._name = f"env-{self._pid}-{next(_numbers)}"
        self._clean: Callable[[], object] = lambda: None
        weakref.finalize(self, _close, self.loop, self._pid)

    def _new_folder(self) -> str:
        self._clean()
        self._episodes += 1
        if self._config.output_dir is not None:
            return str(_kept_folder(Path(self._config.output_dir), self._name, self._episodes))
        name = tempfile.mkdtemp(prefix="sumo_gymnasium-")
        self._clean = weakref.finalize(self, _remove, name, self._pid)
        return name


def _kept_folder(root: Path, name: str, episode: int) -> Path:
    folder = root / name / f"episode-{episode}"
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise ScenarioError(
            f"output_dir={str(root)!r}: cannot make {folder} ({error.strerror}); expected a folder that can be written"
        ) from error
    return folder


def _close(loop: DecisionLoop, pid: int) -> None:
    if os.getpid() == pid:
        loop.close()
        libsumo.release(loop)


def _itself(loop: DecisionLoop) -> DecisionLoop:
    return loop


def _remove(folder: str, pid: int) -> None:
    if os.getpid() == pid:
        shutil.rmtree(folder, ignore_errors=True)
