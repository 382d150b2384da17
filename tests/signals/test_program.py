"""Which phases a program offers, and which one SUMO is at."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sumo_gymnasium.scenarios.tools import run
from sumo_gymnasium.signals.program import Program, following, greens

NO_CROSSING: frozenset[int] = frozenset()


def program(*states: str, **others: object) -> Program:
    made = Program("X", "0", "static", states, (10.0,) * len(states), ("",) * len(states))
    return replace(made, **others)  # type: ignore[arg-type]


def offered(*states: str, crossings: tuple[int, ...] = (), unused: tuple[int, ...] = ()) -> tuple[str, ...]:
    return greens(program(*states), frozenset(crossings), frozenset(unused))


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        (("GGrr", "yyrr", "rrGG", "rryy"), ("GGrr", "rrGG")),
        (("GGrr", "yyrr", "uurr", "rruu", "rrGG"), ("GGrr", "rrGG")),  # red-amber
        (("GGrr", "rrrr", "rrGG", "oooo", "OOOO"), ("GGrr", "rrGG")),  # all red, off
        (("rrgg", "rryy", "ggrr"), ("rrgg", "ggrr")),  # minor greens only
        (("GGsr", "yysr", "ssGG", "rrss"), ("GGsr", "ssGG")),  # right on red
        (("GGrr", "yyrr", "GGrr", "rrGG"), ("GGrr", "rrGG")),  # one green twice
        (("GGGrr", "Gyyrr", "GrrGG", "Grrrr"), ("GGGrr", "GrrGG")),  # all red but for a slip lane
        (("GGrr", "GyrG", "GrrG"), ("GGrr", "GrrG")),  # both hold the slip lane and more
        (("GGgrr", "GGGrr", "yyyrr", "rrrGG"), ("GGgrr", "GGGrr", "rrrGG")),  # the same links, other priorities
    ],
)
def test_greens__are_the_states_worth_choosing(states: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert offered(*states) == expected


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        (("G", "y", "r"), ("G", "r")),  # ramp meter
        (("GG", "rr"), ("GG", "rr")),  # no yellow in the file
        (("r", "G", "y", "r", "r"), ("G", "r")),  # rest once
        (("GG", "Gy", "Gr"), ("GG", "Gr")),  # a ramp beside a permanent green
        (("GG",), ("GG",)),  # always green
        (("GG", "GG"), ("GG",)),
        (("GG", "Gg"), ("GG", "Gg")),  # always green, with changing priority
        (("G", "y", "s"), ("G", "s")),
    ],
)
def test_greens__of_one_green_offer_to_rest_at_red(states: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert offered(*states) == expected


@pytest.mark.parametrize("states", [(), ("rr", "yy"), ("oo",), ("OO", "rr"), ("ss", "rr")])
def test_greens__of_a_program_without_green_are_none(states: tuple[str, ...]) -> None:
    assert offered(*states) == ()


def test_greens__drop_pedestrian_clearance_but_keep_the_scramble() -> None:
    states = ("rgrGr", "rgrrr", "ryrrr", "grrrG", "grrrr", "yrrrr", "rrrGG", "rrrrr")
    assert offered(*states, crossings=(3, 4)) == ("rgrGr", "grrrG", "rrrGG")


def test_greens__keep_two_states_with_different_crossings() -> None:
    assert offered("GrGr", "GrrG", "rGrr", crossings=(2, 3)) == ("GrGr", "GrrG", "rGrr")


def test_greens__serve_a_crossing_that_is_green_only_while_vehicles_change() -> None:
    assert offered("GGr", "yyr", "yrG", "rrr", crossings=(2,)) == ("GGr", "rrG")


def test_greens__ignore_unused_links() -> None:
    assert offered("GGryr", "yyryG", "rrGyr", "rrGyG", unused=(3, 4)) == ("GGryr", "rrGyr")
    assert offered("rrrG", "rrrr", unused=(3,)) == ()


def test_greens__of_random_programs_keep_what_they_promise() -> None:
    random = np.random.default_rng(1)
    for _ in range(300):
        links = int(random.integers(1, 8))
        states = tuple("".join(random.choice(list("GgrryusO"), links)) for _ in range(random.integers(1, 9)))
        crossings = frozenset(np.flatnonzero(random.random(links) < 0.3).tolist())
        unused = frozenset(np.flatnonzero(random.random(links) < 0.2).tolist()) - crossings
        found = greens(program(*states), crossings, unused)
        used = [link for link in range(links) if link not in unused]
        assert len(found) == len(set(found))
        assert not any(state[link] in "yu" for state in found for link in used)
        for crossing in crossings:
            if any(state[crossing] in "Gg" for state in states):
                assert any(state[crossing] in "Gg" for state in found)
        settled = [state for state in states if not any(state[link] in "yu" for link in used)]
        if any(state[link] in "Gg" for state in settled for link in used):
            assert found


def test_following__takes_what_shows_or_the_next_green() -> None:
    plan = program("GGrr", "yyrr", "rrGG", "rryy")
    phases = greens(plan, NO_CROSSING)
    shown = [following(plan, phases, state, index) for index, state in enumerate(plan.states)]
    assert shown == [0, 1, 1, 0]


def test_following__goes_by_the_index_where_one_state_stands_twice() -> None:
    plan = program("GGrr", "rrrr", "rrGG", "rrrr")
    phases = greens(plan, NO_CROSSING)
    assert [following(plan, phases, "rrrr", index) for index in (1, 3)] == [1, 0]


def test_following__takes_the_phase_that_agrees_best_with_a_strange_state() -> None:
    plan = program("GGrr", "yyrr", "rrGG", "rryy")
    phases = greens(plan, NO_CROSSING)
    assert following(plan, phases, "rrGy", 0) == 1
    assert following(plan, phases, "oooo", 3) == 0
    assert following(replace(plan, type="NEMA"), phases, "rryy", 3) == 1


RING_PHASES = {1: "Grrrr", 2: "rGrrr", 5: "rrGrr", 6: "rrrGr", 4: "rrrrG"}


def nema(phases: dict[int, str], **parameters: str) -> Program:
    names = tuple(str(number) for number in phases)
    return program(*phases.values(), type="NEMA", names=names, parameters=tuple(parameters.items()))


def test_nema__pairs_the_rings_on_each_side_of_the_barrier() -> None:
    made = nema(RING_PHASES, ring1="1,2,0,4", ring2="5,6,0,4", barrierPhases="4,4", barrier2Phases="2,6")
    assert greens(made, NO_CROSSING) == ("GrGrr", "GrrGr", "rGGrr", "rGrGr", "rrrrG")


def test_nema__follows_the_order_of_the_rings_and_takes_empty_places() -> None:
    made = nema(RING_PHASES, ring1="2,1,4,0", ring2="0,6,0,4", barrierPhases="4,4", coordinatePhases="2,6")
    assert greens(made, NO_CROSSING) == ("rGrGr", "GrrGr", "rrrrG")


@pytest.mark.parametrize("second", ["", "0,0,0,0", "1,2,4,0"])
def test_nema__of_one_ring_shows_each_phase_alone(second: str) -> None:
    made = nema(RING_PHASES, ring1="1,2,4,0", ring2=second)
    assert greens(made, NO_CROSSING) == ("Grrrr", "rGrrr", "rrrrG")


def test_nema__leaves_out_ring_phases_that_are_not_defined() -> None:
    made = nema(RING_PHASES, ring1="1,2,3,4", ring2="5,6,7,8")
    assert greens(made, NO_CROSSING)[-1] == "rrrrG"


def test_nema__shows_the_letter_that_weighs_more() -> None:
    made = nema({2: "Ggsrooy", 6: "gsrsrOr", 4: "rrrrrrr"}, ring1="2,0,4,0", ring2="6,0,4,0")
    assert greens(made, NO_CROSSING, unused=frozenset({6})) == ("GgssrOy", "rrrrrrr")


PROBE = """
import json, sys, libsumo
net, additional, routes, until = sys.argv[1:]
libsumo.start(["sumo", "-n", net, "-a", additional, "-r", routes, "--seed", "3", "--no-step-log", "--no-warnings"])
seen = set()
for _ in range(int(until)):
    libsumo.simulationStep()
    seen.add((libsumo.trafficlight.getPhaseName("X"), libsumo.trafficlight.getRedYellowGreenState("X")))
libsumo.close()
print(json.dumps(sorted(seen)))
"""


def crossroads(folder: Path) -> dict[int, tuple[str, str]]:
    """A crossing of four two-lane roads with signal X; for each link index the edge it comes from and where it goes."""
    places = {"n": (0, 200), "e": (200, 0), "s": (0, -200), "w": (-200, 0)}
    ends = "".join(f'<node id="{arm}" x="{x}" y="{y}"/>' for arm, (x, y) in places.items())
    ways = "".join(
        f'<edge id="{arm}X" from="{arm}" to="X" numLanes="2"/><edge id="X{arm}" from="X" to="{arm}" numLanes="2"/>'
        for arm in places
    )
    (folder / "nod.xml").write_text(f'<nodes><node id="X" x="0" y="0" type="traffic_light"/>{ends}</nodes>')
    (folder / "edg.xml").write_text(f"<edges>{ways}</edges>")
    files = ("-n", "nod.xml", "-e", "edg.xml", "-o", "net.xml", "--no-turnarounds")
    run("netconvert", *files, cwd=folder)
    flows = "".join(
        f'<flow id="{one}{other}" begin="0" end="900" probability="0.06" from="{one}X" to="X{other}"/>'
        for one in places
        for other in places
        if one != other
    )
    (folder / "rou.xml").write_text(f"<routes>{flows}</routes>")
    links = ET.parse(folder / "net.xml").iter("connection")
    return {
        int(link.get("linkIndex", "")): (link.get("from", ""), link.get("dir", "")) for link in links if link.get("tl")
    }


def ring_phase(links: dict[int, tuple[str, str]], edge: str, directions: str, others: dict[str, str]) -> str:
    """G for the directions from the edge; `others` has letters by direction, `"*r"` for links of all other edges."""
    letters = []
    for link in range(len(links)):
        origin, direction = links[link]
        own = "G" if direction in directions else others.get(direction, "r")
        letters.append(own if origin == edge else others.get(f"*{direction}", "r"))
    return "".join(letters)


@pytest.mark.parametrize("coordinated", ["true", "false"])
@pytest.mark.parametrize("others", [{}, {"l": "g"}, {"*r": "s"}])
@pytest.mark.parametrize(
    ("ring1", "ring2", "barrier", "barrier2"),
    [("1,2,3,4", "5,6,7,8", "4,8", "2,6"), ("2,1,0,4", "0,6,0,4", "4,4", "2,6")],
)
def test_nema__offers_each_state_that_sumo_shows_while_both_rings_are_green(
    tmp_path: Path, ring1: str, ring2: str, barrier: str, barrier2: str, others: dict[str, str], coordinated: str
) -> None:
    links = crossroads(tmp_path)
    approaches = {1: "eX l", 2: "wX sr", 3: "sX l", 4: "nX sr", 5: "wX l", 6: "eX sr", 7: "nX l", 8: "sX sr"}
    phases = {number: ring_phase(links, *text.split(), others) for number, text in approaches.items()}
    parameters = {
        "ring1": ring1,
        "ring2": ring2,
        "barrierPhases": barrier,
        "barrier2Phases": barrier2,
        "coordinate-mode": coordinated,
        "minRecall": "",
        "ignore-errors": "true",
    }
    (tmp_path / "add.xml").write_text(
        '<additional><tlLogic id="X" programID="N" type="NEMA">'
        + "".join(f'<param key="{key}" value="{value}"/>' for key, value in parameters.items())
        + "".join(
            f'<phase duration="99" minDur="4" maxDur="18" vehext="2" yellow="3" red="1" name="{name}" state="{state}"/>'
            for name, state in phases.items()
        )
        + "</tlLogic></additional>"
    )
    command = [sys.executable, "-c", PROBE, "net.xml", "add.xml", "rou.xml", "900"]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120)
    shown = set()
    for name, state in json.loads(answer.stdout.splitlines()[-1]):
        majors = [link for number in name.split("+") for link in range(len(state)) if phases[int(number)][link] == "G"]
        if all(state[link] == "G" for link in majors):
            shown.add(state)
    assert len(shown) >= 3
    assert shown <= set(greens(nema(phases, **parameters), NO_CROSSING))
