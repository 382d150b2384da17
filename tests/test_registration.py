import os
import pickle
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec

from sumo_gymnasium.registration import IDS, register_all
from tests.conftest import SMALL


@pytest.mark.parametrize("name", IDS)
def test_spec__survives_json_and_pickle(name: str) -> None:
    spec = gymnasium.spec(name)
    assert EnvSpec.from_json(spec.to_json()) == spec
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_spec__of_an_env_makes_the_same_env(make) -> None:
    scenario = {"name": "intersection-uniform", "program": "actuated"}
    env = make(scenario, reward="queue_length", end=60)
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    first, _ = env.reset(seed=3)
    second, _ = again.reset(seed=3)
    assert np.array_equal(first, second)
    assert again.unwrapped.scenario == env.unwrapped.scenario
    again.close()


def test_register_all__leaves_what_is_there_alone(recwarn: pytest.WarningsRecorder) -> None:
    before = dict(gymnasium.registry)
    register_all()
    assert dict(gymnasium.registry) == before
    assert not recwarn.list


def test_entry_point__is_declared() -> None:
    (found,) = (point for point in entry_points(group="gymnasium.envs") if "sumo_gymnasium" in point.value)
    assert found.load() is register_all


def test_module_prefix__needs_no_import() -> None:
    code = (
        "import gymnasium; env = gymnasium.make('sumo_gymnasium:SumoTrafficLight-v0', end=20);"
        "env.reset(seed=1); print(env.step(0)[4]['time'], end=''); env.close()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "5.0"


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_make_vec__has_independent_envs_and_keeps_the_kpis(mode: str) -> None:
    envs = gymnasium.make_vec(
        "sumo_gymnasium:SumoTrafficLight-v0", num_envs=3, vectorization_mode=mode, scenario=SMALL, end=60
    )
    envs.reset(seed=[1, 1, 2])
    for _ in range(12):
        observation, _, _, truncated, info = envs.step(np.array([1, 1, 1]))
    assert truncated.all()
    assert np.array_equal(observation[0], observation[1])
    delays = info["kpis"]["due"]["delay"]
    assert delays[0] == delays[1] != delays[2]
    envs.close()


DOWNSTREAM = {
    "downstream_signals/__init__.py": """
import gymnasium
gymnasium.register(
    id="Downstream-v0",
    entry_point="sumo_gymnasium.envs.traffic_light:traffic_light",
    kwargs={"scenario": "downstream_signals.parts:small", "reward": "downstream_signals.parts:Halting",
            "observation": "downstream_signals.parts:counts"},
)
""",
    "downstream_signals/parts.py": """
from dataclasses import dataclass
import os
import numpy as np
from gymnasium import spaces
from sumo_gymnasium import Scenario
from sumo_gymnasium.metrics.signal import queue_length

def small():
    return Scenario(net_file=os.environ["NET"], route_files=os.environ["ROUTES"], end=100)

@dataclass(frozen=True)
class Halting:
    metrics = (queue_length,)
    def __call__(self, before, after):
        return -3.0 * after[queue_length]

class Counts:
    def space(self, kernel, agent):
        return spaces.Box(0, np.inf, (len(kernel.traffic_light.incoming_lanes(agent)),), np.float32)
    def __call__(self, kernel, agent):
        lanes = kernel.traffic_light.incoming_lanes(agent)
        return np.array([kernel.network.vehicle_count(lane) for lane in lanes], np.float32)

counts = Counts()
""",
    "main.py": """
import gymnasium
env = gymnasium.make("downstream_signals:Downstream-v0", host="HOST")
env = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
env.reset(seed=1)
truncated = False
while not truncated:
    observation, reward, _, truncated, info = env.step(0)
    assert reward == -3 * info["metrics"]["queue_length"]
print(env.unwrapped.scenario.name, observation.dtype, observation.sum() > 0)
env.close()
""",
}


@pytest.mark.parametrize("host", ["inline", "worker"])
def test_another_project__brings_its_own_id_scenario_observation_and_reward(host: str, tmp_path: Path) -> None:
    for name, text in DOWNSTREAM.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace("HOST", host))
    folder = Path(SMALL).parent
    files = {"NET": str(folder / "n.net.xml"), "ROUTES": str(folder / "n.rou.xml")}
    done = subprocess.run(
        [sys.executable, "main.py"],
        cwd=tmp_path,
        env={**os.environ, **files},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.split() == [files["NET"], "float32", "True"], done.stderr
