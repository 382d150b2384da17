import copy
import pickle
from typing import Any

import cloudpickle
import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordEpisodeStatistics, TimeLimit

from sumo_gymnasium.controllers import CONTROLLERS
from sumo_gymnasium.errors import NotRunning
from sumo_gymnasium.scenarios.sumocfg import read_sumocfg
from tests.conftest import SMALL, Make


def finish(env: Any, action: int = 0) -> dict[str, Any]:
    while True:
        *_, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            return info


@pytest.mark.parametrize("action", [3, -1, 0.5, None, {"J": 0}, "0", np.array([0]), np.float32(1)])
def test_wrong_action__is_a_value_error_and_changes_nothing(action: Any, make: Make) -> None:
    env = make()
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"action .* is not in Discrete\(3\)"):
        env.unwrapped.step(action)
    assert env.step(0)[-1]["time"] == 5


@pytest.mark.parametrize("action", [1, np.int64(1), np.int8(1), np.array(1)])
def test_actions__can_be_any_integer(action: Any, make: Make) -> None:
    env = make()
    env.reset(seed=1)
    assert env.unwrapped.step(action)[-1]["time"] == 5


def test_step__before_reset_after_end_and_after_close_says_so(make: Make) -> None:
    env = make(end=20)
    with pytest.raises(NotRunning, match=r"call reset\(\) first"):
        env.unwrapped.step(0)
    env.reset(seed=1)
    finish(env)
    for _ in range(2):
        with pytest.raises(NotRunning, match=r"call reset\(\) first"):
            env.unwrapped.step(0)
    with pytest.raises(NotRunning):
        env.unwrapped.query(lambda kernel: kernel.simulation.time)
    env.close()
    with pytest.raises(NotRunning):
        env.unwrapped.step(0)


def test_episode__ends_by_truncation_with_kpis_beside_gymnasiums_statistics(make: Make) -> None:
    env = RecordEpisodeStatistics(make(end=100))
    env.reset(seed=1)
    info = finish(env)
    assert info["time"] == 100
    assert info["episode"]["l"] == 20
    assert info["kpis"] == env.unwrapped.last_episode.kpis
    assert {"completed", "inserted", "due"} <= set(info["kpis"])


def test_last_decision__is_shorter_where_the_end_comes_first(make: Make) -> None:
    env = make(end=12)
    env.reset(seed=1)
    assert [env.step(0)[-1]["time"] for _ in range(3)] == [5, 10, 12]


@pytest.mark.parametrize("cut", ["TimeLimit", "reset", "close"])
@pytest.mark.parametrize("host", ["inline", "worker"])
def test_episode_cut_short__keeps_its_kpis(cut: str, host: str, make: Make) -> None:
    env = make(host=host)
    if cut == "TimeLimit":
        env = TimeLimit(env, max_episode_steps=20)
    assert env.unwrapped.last_episode is None
    env.reset(seed=1)
    for _ in range(20):
        *_, truncated, _ = env.step(0)
    assert truncated == (cut == "TimeLimit")
    env.close() if cut == "close" else env.reset(seed=2)
    episode = env.unwrapped.last_episode
    assert (episode.begin, episode.end) == (0, 100)
    whole = make(end=100)
    whole.reset(seed=1)
    assert finish(whole)["kpis"] == episode.kpis


def test_info__has_metrics_phase_and_mask(make: Make) -> None:
    env = make(reward="queue_length")
    _, info = env.reset(seed=1)
    for _ in range(20):
        assert set(info) == {"time", "due", "elapsed", "metrics", "phase", "action_mask"}
        assert env.unwrapped.action_masks().tolist() == info["action_mask"].tolist()
        assert info["action_mask"][info["phase"]] == 1
        *_, info = env.step(1)
    assert info["phase"] == 1


def test_min_green__is_kept_whatever_is_asked(make: Make) -> None:
    env = make(decision_interval=1, min_green=7, yellow=2, all_red=1)
    env.reset(seed=1)
    phases = env.unwrapped.query(lambda kernel: kernel.traffic_light.phases(env.unwrapped.agent))
    runs: list[tuple[str, int]] = []
    for decision in range(120):
        env.step(decision % 3)
        state = env.unwrapped.query(lambda kernel: kernel.traffic_light.state(env.unwrapped.agent))
        runs = [*runs[:-1], (state, runs[-1][1] + 1)] if runs and runs[-1][0] == state else [*runs, (state, 1)]
    inner = runs[1:-1]
    assert {length for state, length in inner if state in phases} == {7}
    assert {length for state, length in inner if "y" in state} == {2}
    assert {length for state, length in inner if state not in phases and "y" not in state} == {1}


def test_max_green__goes_on_to_the_next_phase(make: Make) -> None:
    env = make(decision_interval=1, max_green=20)
    env.reset(seed=1)
    shown = [env.step(0)[-1]["phase"] for _ in range(40)]
    assert 1 in shown
    assert env.unwrapped.query(lambda kernel: kernel.traffic_light.green_time(env.unwrapped.agent)) <= 20


@pytest.mark.parametrize("stage", ["fresh", "running", "finished"])
def test_copies__are_new_envs_of_the_same_kind(stage: str, make: Make) -> None:
    env = make(end=50)
    if stage != "fresh":
        env.reset(seed=1)
    if stage == "finished":
        finish(env)
    for copied in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), cloudpickle.loads(cloudpickle.dumps(env))):
        with pytest.raises(NotRunning):
            copied.unwrapped.step(0)
        first, _ = copied.reset(seed=3)
        copied.close()
        again, _ = make(end=50).reset(seed=3)
        assert np.array_equal(first, again)
    if stage == "running":
        assert env.step(0)[-1]["time"] == 5


def test_scenario__can_be_a_name_a_path_a_mapping_or_itself(make: Make) -> None:
    given = [
        SMALL,
        {"net_file": read_sumocfg(SMALL).net_file, "route_files": list(read_sumocfg(SMALL).route_files)},
        read_sumocfg(SMALL),
    ]
    seen = [make(scenario, end=50).reset(seed=1)[0].tolist() for scenario in given]
    assert seen[0] == seen[1] == seen[2]
    assert make("intersection-peak").unwrapped.agent == "center"


def test_signal__must_be_chosen_where_there_are_several(make: Make) -> None:
    with pytest.raises(ValueError, match=r"has 3 traffic lights; choose one with signal='…'"):
        make("resco-cologne3")
    with pytest.raises(ValueError, match="no signal 'nowhere'"):
        make("resco-cologne3", signal="nowhere")
    signal = make("resco-grid4x4", signal="B1").unwrapped.agent
    assert signal == "B1"


def test_other_signals__keep_their_programs(make: Make) -> None:
    env = make("resco-grid4x4", signal="B1", end=300)
    env.reset(seed=1)
    for _ in range(10):
        env.step(3)
    programs = env.unwrapped.query(
        lambda kernel: {name: kernel._backend.trafficlight.getProgram(name) for name in kernel.traffic_light.ids}
    )
    assert programs.pop("B1") == "online"
    assert "online" not in programs.values()


def test_unknown_names__are_suggestions(make: Make) -> None:
    for kind, near in (("observation", "phase_and_queue"), ("action", "phas"), ("reward", "pressur")):
        with pytest.raises(ValueError, match=f"no {kind} '{near}'; did you mean"):
            make(**{kind: near})
    with pytest.raises(ValueError, match="no scenario 'resco-colone1'; did you mean 'resco-cologne1'"):
        make("resco-colone1")


def test_sumo_options__reach_sumo_and_ours_are_refused(make: Make) -> None:
    env = make(sumo_options=("--scale", "2"), end=100)
    env.reset(seed=1)
    twice = finish(env)["kpis"]["due"]["vehicles"]
    plain = make(end=100)
    plain.reset(seed=1)
    assert twice > 1.8 * finish(plain)["kpis"]["due"]["vehicles"]
    for options in (("--seed", "3"), ("-e", "100"), ("--end", "9")):
        with pytest.raises(ValueError, match=r"sumo_options: '(seed|end)' is set by this package; use "):
            make(sumo_options=options)


def test_emissions__are_measured_on_request(make: Make) -> None:
    env = make(emissions=True, end=100)
    env.reset(seed=1)
    assert finish(env)["kpis"]["inserted"]["co2"] > 0


def test_render_mode__human_is_gymnasiums_window(make: Make) -> None:
    spec = gymnasium.spec("SumoTrafficLight-v0")
    entry = gymnasium.envs.registration.load_env_creator(spec.entry_point)
    assert entry.metadata["render_modes"] == ["rgb_array"]


def test_reward_space__is_there_where_the_reward_is_a_vector(make: Make) -> None:
    assert make().unwrapped.reward_space is None
    env = make(reward="vector")
    env.reset(seed=1)
    _, reward, *_ = env.unwrapped.step(0)
    assert env.unwrapped.reward_space.contains(reward)


def test_act__refuses_a_controller_of_other_actions(make: Make) -> None:
    env = make()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="acts in an env with action="):
        env.unwrapped.act(CONTROLLERS["actuated"])
    assert env.action_space.contains(env.unwrapped.act(CONTROLLERS["max_pressure"]))
    other = make(action="actuated")
    other.reset(seed=1)
    assert other.unwrapped.act(CONTROLLERS["actuated"]) == 0
