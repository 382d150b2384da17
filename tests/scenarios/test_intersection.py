import re
import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
import sumolib

from sumo_gymnasium.scenarios import tools
from sumo_gymnasium.scenarios.assets import assets
from sumo_gymnasium.scenarios.intersection import (
    DEMANDS,
    END,
    GREENS,
    PHASE_LOST_TIME,
    PROGRAMS,
    SIGNAL,
    YELLOW,
    build,
    flow_ratios,
    intersection,
    plan,
)
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.signals.webster import Plan, scaled

SHIPPED = assets() / "intersection"
SOURCES = ("intersection.nod.xml", "intersection.edg.xml", "intersection.con.xml")


def test_build__gives_the_shipped_bytes(tmp_path: Path) -> None:
    for source in SOURCES:
        shutil.copy(SHIPPED / source, tmp_path)
    build(tmp_path)
    built = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert built == {file.name: file.read_bytes() for file in SHIPPED.iterdir()}


@pytest.mark.parametrize(("demand", "greens"), [("uniform", [25, 7, 25, 7]), ("asymmetric", [34, 9, 19, 5])])
def test_programs__are_webster_s_for_their_demand(demand: str, greens: list[float]) -> None:
    logic = ElementTree.parse(SHIPPED / f"{demand}.add.xml").find("tlLogic")
    assert logic is not None
    assert [float(phase.get("duration", 0)) for phase in logic if "G" in phase.get("state", "")] == greens


def test_demands__are_as_heavy_as_their_names_say() -> None:
    total = {name: sum(flow_ratios(demand)) for name, demand in DEMANDS.items()}
    assert 0.6 < total["uniform"] < 0.7
    assert 0.6 < total["asymmetric"] < 0.7
    assert 0.8 < total["peak"] < 1
    assert total["oversaturated"] > 1


def test_uniform__uses_four_fifths_of_the_capacity_of_its_plan() -> None:
    timed = plan(DEMANDS["uniform"])
    for ratio, green in zip(flow_ratios(DEMANDS["uniform"]), timed.greens, strict=True):
        effective = green + YELLOW - PHASE_LOST_TIME
        assert ratio * timed.cycle / effective == pytest.approx(0.8, abs=0.04)


def test_greens__no_two_foes_at_once_and_every_link_once() -> None:
    junction = ElementTree.parse(SHIPPED / "intersection.net.xml").find(f"junction[@id='{SIGNAL}']")
    assert junction is not None
    foes = [request.attrib["foes"][::-1] for request in junction.findall("request")]
    for state in GREENS:
        green = [link for link, letter in enumerate(state) if letter == "G"]
        assert not [(one, other) for one in green for other in green if foes[one][other] == "1"]
    assert all(sum(state[link] == "G" for state in GREENS) == 1 for link in range(len(GREENS[0])))


def test_net__two_lanes_an_arm_the_inner_one_for_left_turns() -> None:
    net = sumolib.net.readNet(str(SHIPPED / "intersection.net.xml"))
    for arm in ("north", "east", "south", "west"):
        outer, inner = net.getEdge(f"{arm}_in").getLanes()
        assert sorted(way.getDirection() for way in outer.getOutgoing()) == ["r", "s"]
        assert [way.getDirection() for way in inner.getOutgoing()] == ["l"]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("demand", DEMANDS)
def test_intersection__sumo_runs_every_demand_under_every_program(demand: str, program: str, tmp_path: Path) -> None:
    scenario = intersection(demand, program)
    states = shown(scenario, tmp_path, end=200)
    assert {shown_program for shown_program, _ in states} == {program}
    assert set(GREENS) <= {state for _, state in states}


def test_intersection__arrivals_follow_sumo_s_seed(tmp_path: Path) -> None:
    delays = [mean_delay(intersection(), tmp_path, seed) for seed in (1, 1, 2)]
    assert delays[0] == delays[1] != delays[2]


def test_intersection__suggests_the_name_that_was_meant() -> None:
    with pytest.raises(ValueError, match="no demand 'unifrom'; did you mean 'uniform'"):
        intersection("unifrom")
    with pytest.raises(ValueError, match="no program 'actuate'; did you mean 'actuated'"):
        intersection("uniform", program="actuate")


@pytest.mark.parametrize("demand", ["uniform", "asymmetric"])
def test_webster__no_cycle_a_fifth_shorter_or_longer_is_clearly_better(demand: str, tmp_path: Path) -> None:
    timed = plan(DEMANDS[demand])
    delay = {factor: delay_under(scaled(timed, factor), demand, tmp_path) for factor in (0.8, 1.0, 1.2)}
    assert delay[1.0] < 1.1 * min(delay.values())


def delay_under(timed: Plan, demand: str, folder: Path) -> float:
    """Mean over three seeds, s, of `timed` in the place of the shipped one."""
    scenario = intersection(demand)
    text = Path(scenario.additional_files[0]).read_text()
    greens = iter(timed.greens)
    text = re.sub(r'duration="\d+" (?=state="[Gr]+")', lambda _: f'duration="{next(greens):g}" ', text)
    additional = folder / "plan.add.xml"
    additional.write_text(text)
    changed = replace(scenario, additional_files=(str(additional),))
    return sum(mean_delay(changed, folder, seed) for seed in (1, 2, 3)) / 3


def mean_delay(scenario: Scenario, folder: Path, seed: int) -> float:
    """Time loss and insertion delay of all vehicles that were due, s a vehicle."""
    output = folder / "tripinfo.xml"
    unfinished = ("--tripinfo-output.write-unfinished", "--tripinfo-output.write-undeparted")
    simulate(scenario, END, "--seed", str(seed), "--tripinfo-output", str(output), *unfinished)
    trips = ElementTree.parse(output).getroot()
    return sum(float(trip.attrib["timeLoss"]) + float(trip.attrib["departDelay"]) for trip in trips) / len(trips)


def shown(scenario: Scenario, folder: Path, end: float) -> set[tuple[str, str]]:
    """The program and state of each second."""
    record, output = folder / "record.add.xml", folder / "states.xml"
    record.write_text(f'<additional><timedEvent type="SaveTLSStates" source="{SIGNAL}" dest="{output}"/></additional>')
    simulate(scenario, end, "-a", ",".join((*scenario.additional_files, str(record))))
    rows = ElementTree.parse(output).getroot()
    return {(row.attrib["programID"], row.attrib["state"]) for row in rows}


def simulate(scenario: Scenario, end: float, *options: str) -> None:
    files = ["-n", scenario.net_file, "-r", ",".join(scenario.route_files)]
    if "-a" not in options:
        files += ["-a", ",".join(scenario.additional_files)]
    tools.run("sumo", *files, *options, "--end", f"{end:g}", "--time-to-teleport", "-1", "--no-step-log")
