"""Vehicles as agents: their lives cannot lie, whatever happens within a decision."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test

from sumo_gymnasium import traffic_v0, vehicle_v0
from sumo_gymnasium.controllers.vehicles import VEHICLE_CONTROLLERS
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.generate import netconvert

Road = Callable[..., dict[str, Any]]


@pytest.fixture
def road(tmp_path: Path) -> Road:
    """A straight road of one lane and 200 m; `vehicles` are (id, depart, position, speed)."""
    nodes, edges = tmp_path / "a.nod.xml", tmp_path / "a.edg.xml"
    nodes.write_text('<nodes><node id="a" x="0" y="0"/><node id="b" x="200" y="0"/></nodes>')
    edges.write_text('<edges><edge id="ab" from="a" to="b" numLanes="1" speed="20"/></edges>')
    net = netconvert(tmp_path / "net.xml", nodes=nodes, edges=edges)

    def made(*vehicles: tuple[str, float, float, float], end: float = 100, **scenario: Any) -> dict[str, Any]:
        rows = "".join(
            f'<vehicle id="{name}" type="car" route="way" depart="{depart}" departPos="{place}" departSpeed="{speed}"/>'
            for name, depart, place, speed in vehicles
        )
        routes = tmp_path / "routes.xml"
        car = '<vType id="car" sigma="0" speedDev="0" length="5" minGap="1"/><route id="way" edges="ab"/>'
        routes.write_text(f"<routes>{car}{rows}</routes>")
        return {"net_file": str(net), "route_files": str(routes), "end": end, **scenario}

    return made


def parallel(scenario: Any, **settings: Any) -> Any:
    return vehicle_v0.parallel_env(scenario=scenario, types=None, **settings)


def play(env: Any, action: float = 0.0, seed: int = 1) -> list[tuple[Any, ...]]:
    """All that step() returned, after the reset's (observations, infos)."""
    told: list[tuple[Any, ...]] = [env.reset(seed=seed)]
    while env.agents:
        told.append(env.step({agent: np.array([action], dtype=np.float32) for agent in env.agents}))
    return told


@pytest.mark.parametrize("interval", [1.0, 5.0, 10.0])
@pytest.mark.parametrize("host", ["inline", "worker"])
def test_arrival__is_the_last_outcome_of_an_agent(road: Road, interval: float, host: str) -> None:
    env = parallel(road(("one", 0, 10, 10), ("two", 0, 150, 10)), most=2, decision_interval=interval, host=host)
    observations, infos = env.reset(seed=1)
    assert {infos[agent]["id"] for agent in env.agents} == {"one", "two"}
    ended: dict[str, float] = {}
    while env.agents:
        alive = list(env.agents)
        observations, rewards, terminations, truncations, infos = env.step(
            {agent: np.zeros(1, dtype=np.float32) for agent in alive}
        )
        assert set(observations) == set(rewards) == set(terminations) == set(infos) == set(alive)
        for agent in alive:
            assert env.observation_space(agent).contains(observations[agent])
            if terminations[agent]:
                assert infos[agent]["status"] == "arrived"
                assert not truncations[agent]
                ended[infos[agent]["id"]] = infos[agent]["time"]
                assert observations[agent].any(), "the last readable observation, not zeros"
            else:
                assert "status" not in infos[agent]
    assert ended["two"] < ended["one"] <= 30
    assert env.last_episode.kpis["completed"]["vehicles"] == 2
    env.close()


def test_agents__that_come_later_join_at_a_decision_and_names_are_never_used_again(road: Road) -> None:
    env = parallel(road(("one", 0, 150, 10), ("two", 30, 10, 10), ("three", 31, 150, 10)), most=3)
    told = play(env)
    names: dict[str, str] = {}
    for _, infos in [told[0], *((each[0], each[4]) for each in told[1:])]:
        for agent, info in infos.items():
            assert names.setdefault(agent, info["id"]) == info["id"]
    assert names == {"vehicle_0": "one", "vehicle_1": "two", "vehicle_2": "three"}
    for _, rewards, terminations, _, infos in told[1:]:
        for agent, info in infos.items():
            if info["elapsed"] == 0 and not terminations[agent]:
                assert rewards[agent] == 0, "it has just joined"
    env.close()


def test_env__runs_on_while_nobody_is_there_but_somebody_comes(road: Road) -> None:
    env = parallel(road(("one", 5, 150, 10), ("two", 40, 150, 10)), most=2)
    _, infos = env.reset(seed=1)
    assert env.agents == ["vehicle_0"]
    assert infos["vehicle_0"]["time"] == 6  # inserted in the step from 5 to 6 s
    seen = []
    while env.agents:
        *_, infos = env.step({agent: np.zeros(1, dtype=np.float32) for agent in env.agents})
        seen.append({agent: info.get("status") for agent, info in infos.items()})
    assert {"vehicle_0": "arrived", "vehicle_1": None} in seen, "one leaves and the next comes in the same step()"
    env.close()


def test_env__ends_with_its_last_possible_agent(road: Road) -> None:
    env = parallel(road(("one", 0, 150, 10), ("two", 0, 10, 1), end=100), most=1)
    told = play(env)
    assert told[-1][4]["vehicle_0"]["status"] == "arrived"
    assert told[-1][4]["vehicle_0"]["kpis"]["end"] < 30
    env.close()


def test_scenarios_end__truncates_who_is_still_there(road: Road) -> None:
    env = parallel(road(("one", 0, 10, 1), end=10), most=1)
    *_, (_, _, terminations, truncations, infos) = play(env, action=-1.0)
    assert (terminations, truncations) == ({"vehicle_0": False}, {"vehicle_0": True})
    assert "kpis" in infos["vehicle_0"]
    env.close()


@pytest.mark.parametrize("interval", [1.0, 5.0])
def test_crash__ends_both_that_are_in_it(road: Road, interval: float) -> None:
    def reckless(kernel: Any) -> None:
        for vehicle in kernel.vehicle.ids:
            kernel._backend.vehicle.setSpeedMode(vehicle, 0)

    scenario = road(("one", 0, 10, 15), ("two", 0, 100, 0))
    env = parallel(scenario, most=2, decision_interval=interval, hooks=[reckless], action="target_speed")
    _, infos = env.reset(seed=1)
    status: dict[str, str] = {}
    while env.agents:
        speeds = {agent: 15.0 if infos[agent]["id"] == "one" else 0.0 for agent in env.agents}
        actions = {agent: np.array([speed], dtype=np.float32) for agent, speed in speeds.items()}
        _, _, terminations, _, infos = env.step(actions)
        for agent, info in infos.items():
            if "status" in info:
                assert terminations[agent]
                status[info["id"]] = info["status"]
    assert status == {"one": "collided", "two": "collided"}
    assert env.last_episode.kpis["collisions"] >= 1
    env.close()


def test_teleport__is_an_end(road: Road) -> None:
    stop = '<stop lane="ab_0" endPos="150" duration="1000"/>'
    scenario = road(("one", 0, 100, 5), ("two", 0, 50, 5), end=200)
    routes = Path(scenario["route_files"])
    text = routes.read_text()
    routes.write_text(
        text.replace('departPos="100" departSpeed="5"/>', f'departPos="100" departSpeed="5">{stop}</vehicle>')
    )
    env = parallel(scenario, most=2, time_to_teleport=20, action="sumo_driver")
    env.reset(seed=1)
    status = {}
    while env.agents:
        *_, infos = env.step(dict.fromkeys(env.agents, 0))
        status.update({info["id"]: info["status"] for info in infos.values() if "status" in info})
    assert status["two"] == "teleported"
    env.close()


def test_reset__without_any_agent_says_so(road: Road) -> None:
    env = parallel(road(end=20), most=1)
    with pytest.raises(ScenarioError, match="no agent came"):
        env.reset(seed=1)
    env.close()


def test_share__is_drawn_once_for_each_vehicle_and_follows_the_seed(road: Road) -> None:
    vehicles = [(f"v{number}", 3 * number, 10, 10) for number in range(20)]
    chosen = []
    for seed in (1, 1, 2):
        env = parallel(road(*vehicles), most=20, share=0.5)
        told = play(env, seed=seed)
        chosen.append({info["id"] for each in told[1:] for info in each[4].values()})
        env.close()
    assert chosen[0] == chosen[1]
    assert chosen[0] != chosen[2]
    assert 3 < len(chosen[0]) < 17


def test_warm_up__lets_traffic_come_first(road: Road) -> None:
    env = parallel(road(*((f"v{number}", 2 * number, 10, 5) for number in range(10))), most=10, warm_up=12)
    _, infos = env.reset(seed=1)
    assert {info["time"] for info in infos.values()} == {12}
    assert len(infos) > 2
    env.close()


@pytest.mark.parametrize(
    "make_env",
    [
        lambda: vehicle_v0.parallel_env(scenario={"name": "ring", "penetration": 0.5}, most=11, end=60),
        lambda: vehicle_v0.parallel_env(scenario="merge", types=None, most=40, end=60),
        lambda: traffic_v0.parallel_env(scenario="grid", vehicles={"most": 20}, end=60),
    ],
    ids=["ring", "merge", "signals and vehicles"],
)
@pytest.mark.filterwarnings("ignore:No agents present but not all possible_agents:UserWarning")
def test_parallel_env__passes_pettingzoos_tests(make_env: Callable[[], Any]) -> None:
    env = make_env()
    parallel_api_test(env, num_cycles=40)
    env.close()
    parallel_seed_test(make_env, num_cycles=10)


def test_env__passes_pettingzoos_test() -> None:
    env = vehicle_v0.env(scenario={"name": "ring", "penetration": 0.5}, most=11, end=60)
    api_test(env, num_cycles=100)
    env.close()


def test_signals_and_vehicles__act_in_one_env() -> None:
    env = traffic_v0.parallel_env(scenario="grid", vehicles={"most": 5, "action": "max_speed"}, end=120)
    env.reset(seed=1)
    kinds = set()
    while env.agents:
        kinds |= {type(env.action_space(agent)).__name__ for agent in env.agents}
        *_, infos = env.step({agent: env.action_space(agent).sample() for agent in env.agents})
    assert kinds == {"Discrete", "Box"}
    assert all("kpis" in info for info in infos.values())
    env.close()


@pytest.mark.parametrize(
    ("settings", "error", "match"),
    [
        ({"most": 0}, ValueError, "at least 1"),
        ({"share": 0}, ValueError, "share=0"),
        ({"types": "car"}, TypeError, "sequence of vehicle types"),
        ({"terminations": "stuck"}, TypeError, "expected a sequence"),
        ({"observation": "kinematic"}, ValueError, "did you mean 'kinematics'"),
        ({"warm_up": -1}, ValueError, "warm_up=-1"),
    ],
)
def test_arguments__that_cannot_be_are_refused(settings: dict[str, Any], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        vehicle_v0.parallel_env(scenario="ring", **settings)


def test_ring__whose_length_is_drawn_is_read_anew_in_each_episode() -> None:
    env = vehicle_v0.parallel_env(scenario={"name": "ring", "length": (220, 270)}, end=10)
    lengths = set()
    for seed in range(4):
        env.reset(seed=seed)
        around = env.query(lambda kernel: kernel.vehicle.way_length(kernel.vehicle.ids[0]))
        lanes = env.query(lambda kernel: sum(lane.length for lane in kernel.network.lanes.values()))
        assert lanes == pytest.approx(around, abs=0.5)
        assert 220 <= around <= 270.5
        lengths.add(round(around))
    assert len(lengths) > 2
    env.close()


def test_act__takes_vehicles_controllers() -> None:
    env = vehicle_v0.parallel_env(
        scenario={"name": "ring", "penetration": 0.5}, most=11, end=30, decision_interval=0.5, action="any_acceleration"
    )
    env.reset(seed=1)
    while env.agents:
        actions = env.unwrapped.act(VEHICLE_CONTROLLERS["idm"])
        assert set(actions) == set(env.agents)
        env.step({agent: np.asarray(action, dtype=np.float32).reshape(1) for agent, action in actions.items()})
    assert env.last_episode.kpis["collisions"] == 0
    env.close()
