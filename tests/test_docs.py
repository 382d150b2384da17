"""The documentation agrees with the code, and its examples run."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from sumo_gymnasium.actions.signal import ACTIONS
from sumo_gymnasium.backends.options import INSTEAD
from sumo_gymnasium.config import RENAMED, SumoConfig
from sumo_gymnasium.controllers import CONTROLLERS
from sumo_gymnasium.envs.traffic_light import traffic_light
from sumo_gymnasium.envs.vehicle import vehicle
from sumo_gymnasium.kernels.network import NetworkKernel
from sumo_gymnasium.kernels.simulation import SimulationKernel
from sumo_gymnasium.kernels.traffic_light import TrafficLightKernel
from sumo_gymnasium.kernels.vehicle import VehicleKernel
from sumo_gymnasium.metrics import METRICS
from sumo_gymnasium.observations.signal import OBSERVATIONS
from sumo_gymnasium.recording.kpis import Kpis, Population
from sumo_gymnasium.registration import IDS
from sumo_gymnasium.rewards import REWARDS
from sumo_gymnasium.scenarios.intersection import DEMANDS
from sumo_gymnasium.scenarios.registry import SCENARIOS
from sumo_gymnasium.scenarios.resco import MAPS
from tests.conftest import SMALL, Make

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
KERNELS = {
    "simulation": SimulationKernel,
    "network": NetworkKernel,
    "traffic_light": TrafficLightKernel,
    "vehicle": VehicleKernel,
}
LIFE = {"start", "stop", "update", "command", "load", "must_offer_phases", "static", "last_step"}  # their own affairs


def page(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def rows(text: str) -> list[list[str]]:
    """The cells of every table line."""
    lines = (line.strip() for line in text.splitlines())
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]


def terms(text: str) -> set[str]:
    """What stands in backquotes in the first column of a table, without arguments in brackets."""
    return {term for row in rows(text) for term in re.findall(r"`([^`(]+)(?:\([^`]*)?`", row[0])}


def blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_traffic_light__lists_every_argument_with_its_default() -> None:
    registered = IDS["SumoTrafficLight-v0"]["kwargs"]
    theirs = {name: registered.get(name, default) for name, default in (traffic_light.__kwdefaults__ or {}).items()}
    defaults = theirs | {field.name: field.default for field in fields(SumoConfig)}
    listed = {row[0].strip("`"): row[1].strip("`").replace('"', "'") for row in rows(page("docs/traffic_light.md"))}
    assert {name: listed.get(name) for name in defaults} == {name: repr(value) for name, value in defaults.items()}


def test_traffic_light__lists_no_argument_that_there_is_not() -> None:
    table = page("docs/traffic_light.md").partition("## Arguments")[2].partition("\n## ")[0]
    assert terms(table) == {*(traffic_light.__kwdefaults__ or {}), *(field.name for field in fields(SumoConfig))}


def test_traffic_light__lists_every_kpi() -> None:
    table = page("docs/traffic_light.md").partition("### KPIs")[2].partition("\n## ")[0]
    means = {field.name for field in fields(Population)}
    others = {field.name for field in fields(Kpis)} - {"completed", "inserted", "due"}
    assert terms(table) == means | others


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("docs/observations.md", OBSERVATIONS),
        ("docs/actions.md", ACTIONS),
        ("docs/controllers.md", CONTROLLERS),
        ("docs/rewards.md", REWARDS),
        ("docs/rewards.md", METRICS),
        ("docs/scenarios.md", SCENARIOS),
        ("docs/scenarios.md", INSTEAD),
        ("README.md", RENAMED),
    ],
)
def test_page__lists_every_name(name: str, table: dict[str, Any]) -> None:
    assert set(table) <= terms(page(name))


@pytest.mark.parametrize("demand", DEMANDS)
def test_scenarios__gives_the_flows(demand: str) -> None:
    (row,) = (row for row in rows(page("docs/scenarios.md")) if row[0] == f"`intersection-{demand}`")
    *flows, profile = DEMANDS[demand]
    numbers = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", row[1])]
    assert numbers in (flows, [flows[0], *profile])


@pytest.mark.parametrize("map_", MAPS)
def test_scenarios__gives_the_windows_of_resco(map_: str) -> None:
    (row,) = (row for row in rows(page("docs/scenarios.md")) if row[0] == f"`resco-{map_}`")
    assert row[1] == "{:g} to {:g}".format(*MAPS[map_].window)


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels__lists_every_public_name(kernel: str) -> None:
    section = page("docs/kernels.md").partition(f"## kernel.{kernel}\n")[2].partition("\n## ")[0]
    there = {name for name in dir(KERNELS[kernel]) if not name.startswith("_")} - LIFE
    assert there <= set(re.findall(r"`([a-z_]+)[^`]*`", section))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_page__links_to_files_that_there_are(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text("utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_page__has_examples_that_compile(path: Path) -> None:
    for number, block in enumerate(blocks(path.read_text("utf-8"))):
        compile(block, f"{path.name}[{number}]", "exec")


def test_readme__begins_with_the_two_commands() -> None:
    first = page("README.md").partition("```sh\n")[2].partition("```")[0]
    assert [line.split("#")[0].strip() for line in first.splitlines()] == ["make demo", "make test"]


@pytest.mark.usefixtures("make")
def test_readme__example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("stable_baselines3")
    code = blocks(page("README.md"))[0]
    short = code.replace("learn(2_048)", "learn(8)").replace('"intersection-peak"', '"intersection-peak", end=60')
    assert "end=60" in short
    assert "learn(8)" in short
    exec(short.replace('PPO("MlpPolicy", env', 'PPO("MlpPolicy", env, n_steps=8, batch_size=8'), {})
    assert re.search(r"[\d.]+ s of delay a vehicle", capsys.readouterr().out)


@pytest.mark.usefixtures("make")  # looks for what is left behind
def test_readme__own_network_example_runs() -> None:
    code = blocks(page("README.md"))[1]
    names: dict[str, Any] = {}
    exec(code.replace('"their.sumocfg", signal="A0"', f"{SMALL!r}, end=60"), names)
    names["env"].reset(seed=1)
    assert names["env"].step(0)[4]["metrics"].keys() == {"pressure"}
    names["env"].close()


def test_observations__example_runs(make: Make) -> None:
    (code,) = (block for block in blocks(page("docs/observations.md")) if "class Queues" in block)
    names: dict[str, Any] = {"__name__": __name__}
    exec(code, names)
    env = make(observation=names["Queues"]())
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)


def test_rewards__examples_run(make: Make) -> None:
    names: dict[str, Any] = {"__name__": __name__}
    for code in blocks(page("docs/rewards.md")):
        exec(code, names)
    for reward in (names["both"], names["fewer"], names["patient"], names["SquaredQueue"]()):
        env = make(reward=reward)
        env.reset(seed=1)
        env.step(0)
        env.close()


@pytest.mark.usefixtures("make")  # looks for what is left behind
def test_controllers__example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks(page("docs/controllers.md"))
    exec(code.replace("action=action_of(controller)", "action=action_of(controller), end=60"), {})
    assert float(capsys.readouterr().out) > 0


def test_vehicles__lists_every_id_with_what_it_is_made_of() -> None:
    listed = {row[0].strip("`"): [cell.strip("`") for cell in row[1:]] for row in rows(page("docs/vehicles.md"))}
    for name, row in IDS.items():
        if row["entry_point"].endswith(":vehicle"):
            made = {**vehicle.__kwdefaults__, **row["kwargs"]}
            scenario, *strategies, interval = listed[name]
            assert scenario.split("`")[0] == made["scenario"]
            assert strategies == [made[part] for part in ("observation", "action", "reward")]
            assert float(interval) == made["decision_interval"]


def test_vehicles__lists_every_argument_with_its_default() -> None:
    shared = {"begin", "end", "hooks", "render_mode", "drawing"}
    own = {name: repr(value) for name, value in vehicle.__kwdefaults__.items() if name not in shared}
    listed = {row[0].strip("`"): row[1].strip("`").replace('"', "'") for row in rows(page("docs/vehicles.md"))}
    assert {name: listed.get(name) for name in own} == own
