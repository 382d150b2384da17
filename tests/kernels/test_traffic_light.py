from pathlib import Path
from typing import Any

import pytest

from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.errors import NotRunning, ScenarioError
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.generate import netconvert
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.testing.checks import SignalWatch
from tests.conftest import CASES, Make
from tests.signals.test_program import crossroads, ring_phase

NET = str(CASES / "13-step-length" / "n.net.xml")
ROUTES = str(CASES / "13-step-length" / "n.rou.xml")


def additional(folder: Path, text: str) -> str:
    path = folder / "more.add.xml"
    path.write_text(f"<additional>{text}</additional>")
    return str(path)


def kernel_of(**files: Any) -> Kernel:
    return Kernel(Scenario(net_file=NET, **files), SumoConfig())


def program(program_id: str, *states: str, kind: str = "static", signal: str = "X") -> str:
    phases = "".join(f'<phase duration="10" state="{state}"/>' for state in states)
    return f'<tlLogic id="{signal}" type="{kind}" programID="{program_id}" offset="0">{phases}</tlLogic>'


def signal_of(kernel: Kernel) -> str:
    (signal,) = kernel.traffic_light.ids
    return signal


def width(kernel: Kernel) -> int:
    return len(kernel.traffic_light.phases(signal_of(kernel))[0])


def test_phases__are_those_of_the_additional_files_program(tmp_path: Path, make: Make) -> None:
    plain = kernel_of()
    signal, links = signal_of(plain), width(plain)
    green, red = "G" + "r" * (links - 1), "r" * links
    more = additional(tmp_path, program("mine", green, red.replace("r", "y", 1), red, signal=signal))
    assert kernel_of(additional_files=more).traffic_light.phases(signal) == (green, red)
    env = make({"net_file": NET, "route_files": ROUTES, "additional_files": more}, end=50)
    env.reset(seed=1)  # compares with SUMO
    assert env.action_space.n == 2


def test_no_green__is_said_and_what_to_do(tmp_path: Path, make: Make) -> None:
    signal = signal_of(kernel_of())
    for kind, states in (("off", ()), ("static", ("r" * width(kernel_of()),))):
        more = additional(tmp_path, program("dark", *states, kind=kind, signal=signal))
        with pytest.raises(ScenarioError, match=r"no traffic light with a green|no green in its active program"):
            make({"net_file": NET, "route_files": ROUTES, "additional_files": more})
        with pytest.raises(ScenarioError, match=f"signal '{signal}' has no green in its active program"):
            make({"net_file": NET, "route_files": ROUTES, "additional_files": more}, signal=signal)


def test_waut__cannot_take_a_signal_away(tmp_path: Path, make: Make) -> None:
    plain = kernel_of()
    signal, links = signal_of(plain), width(plain)
    more = additional(
        tmp_path,
        program("p2", "g" * links, signal=signal)
        + program("0b", *plain.traffic_light.program(signal).states, signal=signal)
        + '<WAUT id="w" refTime="0" startProg="0b"><wautSwitch time="30" to="p2"/>'
        + '<wautSwitch time="60" to="off"/></WAUT>'
        + f'<wautJunction wautID="w" junctionID="{signal}"/>',
    )
    watched = SignalWatch(signal)
    env = make({"net_file": NET, "route_files": ROUTES, "additional_files": more}, end=100, hooks=[watched])
    env.reset(seed=1)
    assert env.unwrapped.query(lambda kernel: kernel.traffic_light.program(signal).program_id) == "0b"
    for _ in range(19):
        env.step(1)
    assert (
        env.unwrapped.query(lambda kernel: kernel.traffic_light.state(signal)) == plain.traffic_light.phases(signal)[1]
    )
    assert watched.steps == 95


def test_nema__offers_pairs_and_is_controlled_without_breaking_a_rule(tmp_path: Path, make: Make) -> None:
    watched = SignalWatch("X")
    env = make(nema(tmp_path), end=600, hooks=[watched], min_green=4)
    env.reset(seed=1)
    assert env.action_space.n == 8
    env.action_space.seed(1)
    shown, truncated = set(), False
    while not truncated:
        *_, truncated, info = env.step(env.action_space.sample())
        shown.add(info["phase"])
    assert watched.steps == 600
    assert shown == set(range(8))


def nema(folder: Path) -> dict[str, str]:
    """Four arms under a NEMA program of eight ring phases, of which four pairs stand on each side of the barrier."""
    links = crossroads(folder)
    approaches = {1: "eX l", 2: "wX sr", 3: "sX l", 4: "nX sr", 5: "wX l", 6: "eX sr", 7: "nX l", 8: "sX sr"}
    rings = {"ring1": "1,2,3,4", "ring2": "5,6,7,8", "barrierPhases": "4,8", "barrier2Phases": "2,6"}
    parameters = "".join(f'<param key="{key}" value="{value}"/>' for key, value in rings.items())
    phases = "".join(
        f'<phase duration="99" minDur="4" maxDur="18" vehext="2" yellow="3" red="1" name="{name}" '
        f'state="{ring_phase(links, *text.split(), {})}"/>'
        for name, text in approaches.items()
    )
    logic = f'<tlLogic id="X" programID="N" type="NEMA">{parameters}{phases}</tlLogic>'
    files = {"net_file": "net.xml", "route_files": "rou.xml"}
    return {**{key: str(folder / name) for key, name in files.items()}, "additional_files": additional(folder, logic)}


def test_green_time__of_a_static_program_counts_from_its_phases_start(make: Make) -> None:
    env = make(action="program", decision_interval=1, end=100)
    env.reset(seed=1)
    signal = env.unwrapped.agent
    shown, last = 0, None
    for _ in range(99):
        env.step(0)
        state, time, phases = env.unwrapped.query(
            lambda kernel: (
                kernel.traffic_light.state(signal),
                kernel.traffic_light.green_time(signal),
                kernel.traffic_light.phases(signal),
            )
        )
        shown = shown + 1 if state == last else 1
        last = state
        if state in phases:
            assert time == shown
        else:
            assert time == 0


def test_movements__join_the_links_between_two_edges() -> None:
    net = CASES / "05-joined-index-gaps" / "b-index-gaps.net.xml"
    signals = Kernel(Scenario(net_file=str(net)), SumoConfig()).traffic_light
    found = {(way.origin, way.target): [link.index for link in way.links] for way in signals.movements("gap")}
    assert found == {("ni", "so"): [0], ("si", "no"): [1], ("wi", "eo"): [3, 3], ("ei", "wo"): [4, 5]}


def test_release__gives_the_program_back(make: Make) -> None:
    env = make()
    env.reset(seed=1)
    signal = env.unwrapped.agent
    env.step(1)
    env.unwrapped.query(lambda kernel: kernel.traffic_light.release(signal))
    states = [env.unwrapped.query(lambda kernel: (kernel.simulation.step, kernel.traffic_light.state(signal)))]
    assert states[0][1] in env.unwrapped.query(lambda kernel: kernel.traffic_light.program(signal).states)


def test_unknown_signal__lists_what_there_is() -> None:
    with pytest.raises(ScenarioError, match=r"no signal 'Y' with a program and links; there are: "):
        kernel_of().traffic_light.phases("Y")


def test_live_reads__need_a_running_simulation() -> None:
    kernel = kernel_of()
    with pytest.raises(NotRunning, match=r"call reset\(\) first"):
        kernel.traffic_light.state(signal_of(kernel))


def test_rail_signals__are_no_agents(tmp_path: Path) -> None:
    (tmp_path / "n.nod.xml").write_text(
        '<nodes><node id="a" x="0" y="0"/><node id="b" x="500" y="0" type="rail_signal"/>'
        '<node id="c" x="999" y="0"/></nodes>'
    )
    (tmp_path / "n.edg.xml").write_text(
        '<edges><edge id="ab" from="a" to="b" allow="rail"/><edge id="bc" from="b" to="c" allow="rail"/></edges>'
    )
    net = netconvert(tmp_path / "n.net.xml", nodes=tmp_path / "n.nod.xml", edges=tmp_path / "n.edg.xml")
    signals = Kernel(Scenario(net_file=str(net)), SumoConfig()).traffic_light
    assert [signal for signal in signals.ids if signals.phases(signal)] == []


def test_ids__can_be_odd(tmp_path: Path, make: Make) -> None:
    odd = "Köln #1/a b"
    signal = signal_of(kernel_of())
    text = Path(NET).read_text()
    for attribute in ("tl", "tlLogic id"):
        text = text.replace(f'{attribute}="{signal}"', f'{attribute}="{odd}"')
    net = tmp_path / "odd näme 100%.net.xml"
    net.write_text(text, encoding="utf-8")
    env = make({"net_file": str(net), "route_files": ROUTES}, end=50)
    env.reset(seed=1)
    env.step(1)
    assert env.unwrapped.agent == odd


def test_signal_timing__of_a_signal_that_is_not_there_is_refused(make: Make) -> None:
    with pytest.raises(ScenarioError, match="signal_timing for the signal 'nowhere'"):
        make(signal_timing={"nowhere": {"min_green": 7}})
