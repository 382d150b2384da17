"""Episodes as jobs for several processes."""

import logging
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from multiprocessing import get_context
from queue import SimpleQueue
from typing import Protocol

import cloudpickle  # type: ignore[import-untyped]

from sumo_gymnasium.evaluation.policies import portable
from sumo_gymnasium.evaluation.result import EpisodeResult
from sumo_gymnasium.evaluation.trial import Trial, play

Job = tuple[Trial, int]
Pools = SimpleQueue[ProcessPoolExecutor]
GONE_WRONG = (Exception, SystemExit)  # a policy's sys.exit() ends its episode only; Ctrl-C ends all

logger = logging.getLogger("sumo_gymnasium")


class Progress(Protocol):
    """Tells how far it is."""

    def update(self) -> object:
        """One job more is done."""

    def close(self) -> object:
        """All are."""


def run(jobs: Sequence[Job], processes: int, progress: bool) -> list[EpisodeResult]:
    """What became of each job, in their order; `processes=1` means this one."""
    with closing(_progress(len(jobs)) if progress else _Silence()) as shown:
        if processes == 1:
            return [_told(_episode(*job), shown) for job in jobs]
        return _in_processes(jobs, processes, shown)


def _told(episode: EpisodeResult, shown: Progress) -> EpisodeResult:
    shown.update()
    return episode


def _in_processes(jobs: Sequence[Job], processes: int, shown: Progress) -> list[EpisodeResult]:
    """One pool a process: a process that dies breaks its pool, and takes no other job with it."""
    packed = [_packed(job) for job in jobs]
    pools: Pools = SimpleQueue()
    for _ in range(processes):
        pools.put(_pool())
    threads = ThreadPoolExecutor(processes)
    try:
        futures = [threads.submit(_elsewhere, job, seed, pools) for job, (_, seed) in zip(packed, jobs, strict=True)]
        for _ in as_completed(futures):
            shown.update()
        return [future.result() for future in futures]
    finally:
        threads.shutdown(cancel_futures=True)
        for _ in range(processes):
            pools.get().shutdown()


def _elsewhere(packed: bytes, seed: int, pools: Pools) -> EpisodeResult:
    pool = pools.get()
    try:
        return pool.submit(_unpacked, packed).result()
    except GONE_WRONG as error:  # the process was killed, or cannot make the policy from what it was sent
        pool.shutdown()
        pool = _pool()
        return _failed(seed, error)
    finally:
        pools.put(pool)


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"), _begin, (logger.getEffectiveLevel(),))


def _begin(level: int) -> None:
    """In a process of ours: it logs what its maker does, and leaves the other cores to the other processes."""
    logger.setLevel(level)
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # torch and numpy read it when they are imported


def _packed(job: Job) -> bytes:
    trial, seed = job
    packed: bytes = cloudpickle.dumps((replace(trial, policy=portable(trial.policy)), seed))
    return packed


def _unpacked(packed: bytes) -> EpisodeResult:
    trial, seed = cloudpickle.loads(packed)
    return _episode(trial, seed)


def _episode(trial: Trial, seed: int) -> EpisodeResult:
    """One episode on an env of its own. Whatever goes wrong is told as its error: the other jobs go on."""
    try:
        with trial.stage() as stage:
            return play(stage, trial.policy, seed)
    except GONE_WRONG as error:
        return _failed(seed, error)


def _failed(seed: int, error: BaseException) -> EpisodeResult:
    return EpisodeResult(seed=seed, error=f"{type(error).__name__}: {error}")


class _Silence:
    def update(self) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class _Lines:
    """A line on stderr for each job that is done."""

    def __init__(self, jobs: int) -> None:
        self._jobs, self._done = jobs, 0

    def update(self) -> None:
        """One more."""
        self._done += 1
        print(f"episode {self._done} of {self._jobs}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Nothing."""


def _progress(jobs: int) -> Progress:
    """A bar if tqdm is installed (extra `sb3`), else lines."""
    if find_spec("tqdm") is None:
        return _Lines(jobs)
    from tqdm import tqdm  # noqa: PLC0415 - optional

    bar: Progress = tqdm(total=jobs, unit="episode")
    return bar
