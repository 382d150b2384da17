import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import gymnasium
import libsumo
import numpy as np
import pytest

from sumo_gymnasium.envs.loop import Outcome
from sumo_gymnasium.errors import HostBusy, NotRunning, SimulationCrashed
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.metrics.signal import pressure, queue_length
from sumo_gymnasium.rewards import Weighted
from tests.conftest import SMALL, Make, children

HOSTS = ["inline", "worker"]


def seconds(kernel: Kernel) -> float:
    return kernel.simulation.time


def pid(kernel: Kernel) -> int:
    return os.getpid()


def play(env: Any, seed: int, decisions: int = 20) -> list[Any]:
    observation, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    found = [observation.tolist(), info["metrics"]]
    for _ in range(decisions):
        outcome = Outcome(*env.step(env.action_space.sample()))
        found += [outcome.observation.tolist(), outcome.reward, outcome.info["metrics"], outcome.info["phase"]]
    return found


def test_auto__runs_inline_first_and_the_others_in_workers(make: Make) -> None:
    first, second, third = make(), make(), make()
    for env in (first, second, third):
        env.reset(seed=1)
    pids = [env.unwrapped.query(pid) for env in (first, second, third)]
    assert pids[0] == os.getpid()
    assert len(set(pids)) == 3


def test_envs__alive_at_once_have_their_own_time_and_traffic(make: Make) -> None:
    alone = play(make(), seed=1)
    first, second = make(), make()
    first.reset(seed=5)
    assert play(second, seed=1) == alone
    assert first.unwrapped.query(seconds) == 0
    assert second.unwrapped.query(seconds) == 100


def test_hosts__and_backends_give_the_same_episode(make: Make) -> None:
    ways = [{"host": "inline"}, {"host": "worker"}, {"backend": "traci"}]
    episodes = []
    for way in ways:
        env = make(end=100, **way)
        episodes.append((play(env, seed=3), env.unwrapped.last_episode.kpis))
        env.close()
    assert episodes[0] == episodes[1] == episodes[2]


def test_inline__is_refused_where_libsumo_is_taken(make: Make) -> None:
    make(host="inline").reset(seed=1)
    second = make(host="inline")
    with pytest.raises(HostBusy, match="host='auto'"):
        second.reset(seed=1)


def test_users_own_libsumo__is_left_alone(make: Make) -> None:
    folder = Path(SMALL).parent
    libsumo.start(["sumo", "-n", str(folder / "n.net.xml"), "-r", str(folder / "n.rou.xml"), "--no-step-log"])
    try:
        for _ in range(7):
            libsumo.simulationStep()
        env = make()
        env.reset(seed=1)
        env.step(0)
        env.close()
        assert libsumo.simulation.getTime() == 7.0
        libsumo.simulationStep()
    finally:
        libsumo.close()


def test_make_and_close__twenty_times(make: Make) -> None:
    before = children()
    for _ in range(20):
        env = make()
        env.reset(seed=1)
        env.close()
        env.close()
        with pytest.raises(NotRunning, match="call reset"):
            env.unwrapped.step(0)
    assert children() == before


def test_dropped_env__leaves_nothing_behind(make: Make) -> None:
    env = gymnasium.make("SumoTrafficLight-v0", scenario=SMALL)
    env.reset(seed=1)
    folder = env.unwrapped._host._folder
    del env
    assert not Path(folder).exists()
    assert not libsumo.isLoaded()


def test_killed_worker__is_a_crash_and_reset_begins_anew(make: Make) -> None:
    env = make(host="worker")
    before = play(env, seed=1)
    os.kill(env.unwrapped.query(pid), signal.SIGKILL)
    with pytest.raises(SimulationCrashed, match=r"SIGKILL.*simulated time 100 s, action .*reset\(\)"):
        env.step(1)
    with pytest.raises(NotRunning):
        env.unwrapped.step(1)
    assert play(env, seed=1) == before


def test_worker__killed_between_two_steps_is_a_crash(make: Make) -> None:
    env = make(host="worker")
    env.reset(seed=1)
    worker = env.unwrapped.query(pid)
    env.step(0)
    os.kill(worker, signal.SIGKILL)
    time.sleep(0.2)
    with pytest.raises(SimulationCrashed, match="SIGKILL"):
        env.step(0)


def test_stuck_worker__is_killed_after_the_timeout(make: Make) -> None:
    env = make(host="worker", step_timeout=1.0)
    env.reset(seed=1)
    os.kill(env.unwrapped.query(pid), signal.SIGSTOP)
    with pytest.raises(SimulationCrashed, match="step_timeout"):
        env.step(0)
    env.reset(seed=1)
    env.step(0)


class Interrupts:
    """A hook that sends Ctrl-C to the process with the env at a given second of the first episode."""

    def __init__(self, at: float) -> None:
        self.at, self.parent, self.sent = at, os.getpid(), False

    def __call__(self, kernel: Kernel) -> None:
        if kernel.simulation.time == self.at and not self.sent:
            self.sent = True
            os.kill(self.parent, signal.SIGINT)
            time.sleep(0.2)


@pytest.mark.parametrize("host", HOSTS)
def test_ctrl_c__in_a_step_ends_the_episode_and_no_later_step_gets_its_answer(host: str, make: Make) -> None:
    expected = play(make(), seed=2)
    env = make(host=host if host == "worker" else "auto", hooks=[Interrupts(at=13)])
    env.reset(seed=1)
    env.step(0)
    env.step(0)
    with pytest.raises(KeyboardInterrupt):
        env.step(0)
    with pytest.raises(NotRunning):
        env.unwrapped.step(0)
    env.unwrapped._host.loop.hooks[0].sent = True
    assert play(env, seed=2) == expected


class Broken:
    """A reward with a fault in it."""

    metrics = (queue_length,)

    def __call__(self, before: Any, after: Any) -> float:
        raise ZeroDivisionError("my reward is wrong")


@pytest.mark.parametrize("host", HOSTS)
def test_users_exception__comes_through_and_the_env_can_be_reset(host: str, make: Make) -> None:
    env = make(host=host, reward=Broken())
    env.reset(seed=1)
    with pytest.raises(ZeroDivisionError, match="my reward is wrong"):
        env.step(0)
    with pytest.raises(NotRunning):
        env.unwrapped.step(0)
    env.reset(seed=1)


@pytest.mark.parametrize("host", HOSTS)
def test_query__fails_without_harm_to_the_episode(host: str, make: Make) -> None:
    env = make(host=host)
    env.reset(seed=1)
    with pytest.raises(ZeroDivisionError):
        env.unwrapped.query(lambda kernel: 1 / 0)
    env.step(0)
    assert env.unwrapped.query(seconds) == 5
    assert env.unwrapped.act(lambda kernel, agent: (agent, kernel.simulation.step)) == (env.unwrapped.agent, 5)


@pytest.mark.parametrize("host", HOSTS)
def test_fork__harms_neither_side(host: str, make: Make) -> None:
    env = make(host="auto" if host == "inline" else host)
    alone = play(env, seed=1)
    start = play(env, seed=1, decisions=5)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            refused = False
            try:
                env.unwrapped.step(0)
            except NotRunning:
                refused = True
            same = play(env, seed=1) == alone
            env.close()
            code = 0 if refused and same else 2
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    rest = [env.unwrapped.query(seconds)]
    for _ in range(15):
        env.step(env.action_space.sample())
        rest.append(env.unwrapped.query(seconds))
    assert rest == [25 + 5 * decision for decision in range(16)]
    assert start == alone[: len(start)]


def test_threads__each_have_their_env(make: Make) -> None:
    alone = play(make(), seed=1)
    envs = [make() for _ in range(4)]
    envs[0].reset(seed=9)  # inline; the others must go to workers
    found: list[Any] = []
    threads = [threading.Thread(target=lambda env=env: found.append(play(env, seed=1))) for env in envs[1:]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 3
    assert play(envs[1], seed=1) == alone  # the thread that started its worker has ended


PARENT = """
import gymnasium, sys, time
envs = [gymnasium.make("sumo_gymnasium:SumoTrafficLight-v0", scenario={small!r}, backend=backend, host="auto")
        for backend in ("libsumo", "libsumo", "traci")]
for env in envs:
    env.reset(seed=1)
print("ready", flush=True)
while True:
    for env in envs:
        env.step(0)
        if env.unwrapped._host._time >= 590:
            env.reset(seed=1)
"""


def test_killed_parent__leaves_no_process() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT.format(small=SMALL)], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"ready\n"
    orphans = children_of(parent.pid)
    assert len(orphans) == 2
    time.sleep(0.1)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 5
    while any(Path(f"/proc/{orphan}").exists() for orphan in orphans) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [orphan for orphan in orphans if Path(f"/proc/{orphan}").exists()]


def children_of(parent: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True)
    return [int(word) for word in listed.stdout.split()]


def test_exit__with_live_envs_is_quiet_and_leaves_nothing(tmp_path: Path) -> None:
    code = (
        "import gymnasium; envs = [gymnasium.make('sumo_gymnasium:SumoTrafficLight-v0') for _ in range(3)]\n"
        "for env in envs: env.reset(seed=1); env.step(0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_seed__means_the_same_in_every_process() -> None:
    code = (
        "import gymnasium; from tests.envs.test_host import play; from tests.conftest import SMALL\n"
        "env = gymnasium.make('sumo_gymnasium:SumoTrafficLight-v0', scenario=SMALL, end=300)\n"
        "print(play(env, 7)); env.close()"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()[-1]  # libsumo, imported by these tests before we do, may warn of pyarrow
        for hash_seed in ("0", "1", "random")
    ]
    assert said[0] == said[1] == said[2]
    env = gymnasium.make("SumoTrafficLight-v0", scenario=SMALL, end=300)
    assert str(play(env, 7)) == said[0]
    env.close()


def test_seed__holds_after_other_episodes_and_failures(make: Make) -> None:
    env = make(end=100)
    first = play(env, seed=4)
    play(env, seed=5, decisions=3)
    assert play(env, seed=4) == first
    bad = Path(SMALL).parent.parent / "15-bad-inputs"
    wrong = make({"net_file": str(bad / "good.net.xml"), "route_files": str(bad / "01-unknown-edge.rou.xml")})
    env.close()
    with pytest.raises(ValueError, match="nowhere"):
        wrong.reset(seed=1)
    assert play(env, seed=4) == first


def test_reset__without_a_seed_goes_on_from_the_last_one(make: Make) -> None:
    env = make(end=100)
    env.reset(seed=6)
    later = [env.unwrapped.query(seed_of) for _ in range(3) if env.reset()]
    env.reset(seed=6)
    assert [env.unwrapped.query(seed_of) for _ in range(3) if env.reset()] == later
    assert len(set(later)) == 3
    other = make(end=100)
    other.reset()
    assert other.unwrapped.query(seed_of) not in later


def seed_of(kernel: Kernel) -> str:
    return str(kernel._backend.simulation.getOption("seed"))


def test_output_dir__keeps_a_folder_for_each_episode(make: Make, tmp_path: Path) -> None:
    env = make(end=20, output_dir=str(tmp_path))
    for _ in range(2):
        env.reset(seed=1)
        for _ in range(4):
            env.step(0)
    (folder,) = tmp_path.iterdir()
    assert [path.name for path in sorted(folder.iterdir())] == ["episode-1", "episode-2"]
    trips = [(episode / "episode-tripinfo.xml").read_text().count("<tripinfo ") for episode in folder.iterdir()]
    assert trips[0] == trips[1] == env.unwrapped.last_episode.kpis["due"]["vehicles"]


def test_weights__survive_the_way_to_a_worker(make: Make) -> None:
    env = make(host="worker", reward=Weighted({"queue_length": -2.0, pressure: 0.5}))
    env.reset(seed=1)
    for _ in range(10):
        *_, info = Outcome(*env.step(0))
    assert np.isfinite(info["metrics"]["queue_length"])


def test_threads__that_start_at_once_do_not_share_a_simulation(make: Make) -> None:
    alone = play(make(), seed=5)
    for _ in range(3):
        envs = [make() for _ in range(3)]
        barrier = threading.Barrier(len(envs))
        found: list[Any] = []

        def run(env: Any, barrier: threading.Barrier = barrier, found: list[Any] = found) -> None:
            barrier.wait()
            found.append(play(env, seed=5))

        threads = [threading.Thread(target=run, args=(env,)) for env in envs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for env in envs:
            env.close()
        assert found == [alone] * 3


def test_traci__made_in_a_thread_that_has_ended_lives_on(make: Make) -> None:
    env = make(backend="traci")
    thread = threading.Thread(target=lambda: env.reset(seed=1))
    thread.start()
    thread.join()
    time.sleep(0.2)
    assert env.step(0)[-1]["time"] == 5


def test_users_start__in_mid_episode_is_a_crash_of_ours_and_no_harm_to_theirs(make: Make) -> None:
    env = make(host="inline")
    env.reset(seed=1)
    folder = Path(SMALL).parent
    libsumo.start(["sumo", "-n", str(folder / "n.net.xml"), "--no-step-log"])
    libsumo.simulationStep()
    with pytest.raises(SimulationCrashed, match="something else"):
        env.step(0)
    env.close()
    assert libsumo.simulation.getTime() == 1.0
    libsumo.close()


@pytest.mark.parametrize("end", ["close", "reset"])
@pytest.mark.parametrize("way", [{"host": "worker"}, {"backend": "traci"}])
def test_dead_simulation__can_be_closed_and_reset(
    way: dict[str, str], end: str, make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    env = make(**way)
    env.reset(seed=1)
    env.step(0)
    for child in children():
        os.kill(child, signal.SIGKILL)
    time.sleep(0.1)
    env.close() if end == "close" else env.reset(seed=1)
    assert "KPIs of the episode that was cut short are lost" in caplog.text
    assert env.unwrapped.last_episode is None
    env.reset(seed=2)
    env.step(0)


@pytest.mark.parametrize("call", ["step", "query"])
def test_killed_sumo__is_a_crash_whatever_is_asked(call: str, make: Make) -> None:
    env = make(backend="traci")
    env.reset(seed=1)
    for child in children():
        os.kill(child, signal.SIGKILL)
    with pytest.raises(SimulationCrashed):
        env.step(1) if call == "step" else env.unwrapped.query(lambda kernel: kernel.vehicle.ids)
    env.reset(seed=1)
    env.step(1)


def test_stuck_sumo__is_killed_after_the_timeout(make: Make) -> None:
    env = make(backend="traci", step_timeout=1.0)
    env.reset(seed=1)
    for child in children():
        os.kill(child, signal.SIGSTOP)
    with pytest.raises(SimulationCrashed, match="step_timeout"):
        env.step(0)
    env.reset(seed=1)


def test_relative_paths__hold_when_the_process_moves(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(Path(SMALL).parent)
    env = make({"net_file": "n.net.xml", "route_files": "n.rou.xml"}, end=50)
    monkeypatch.chdir(tmp_path)
    env.reset(seed=1)
    env.step(0)
