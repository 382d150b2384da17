"""The programs that we read against those that SUMO has active."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.programs import active_programs
from sumo_gymnasium.scenarios.tools import run

PROBE = """
import json, sys, libsumo
told = {}
for name, options in json.load(sys.stdin).items():
    try:
        libsumo.start(["sumo", *options, "--no-step-log", "--no-warnings"])
    except libsumo.TraCIException:
        told[name] = None
        continue
    lights = libsumo.trafficlight
    program = lights.getProgram("X")
    logic = next((logic for logic in lights.getAllProgramLogics("X") if logic.programID == program), None)
    told[name] = [program, [phase.state for phase in logic.phases] if logic and program != "off" else []]
    libsumo.close()
print(json.dumps(told))
"""


def logic(program_id: str, *states: str, signal: str = "X", **attributes: str) -> str:
    attributes = {"type": "static", **attributes}
    written = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    phases = "".join(f'<phase duration="{10 + place}" state="{state}"/>' for place, state in enumerate(states))
    return f'<tlLogic id="{signal}" programID="{program_id}" {written}>{phases}</tlLogic>'


def waut(start: str, *switches: tuple[str, str], name: str = "w", signal: str = "X", **attributes: str) -> str:
    written = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    inner = "".join(f'<wautSwitch time="{time}" to="{program}"/>' for time, program in switches)
    junction = f'<wautJunction wautID="{name}" junctionID="{signal}"/>'
    return f'<WAUT id="{name}" startProg="{start}" {written}>{inner}</WAUT>{junction}'


A, B, C = logic("a", "Gr", "yr", "rG"), logic("b", "GG", "yy"), logic("c", "rG", "ry")
OFF = '<tlLogic id="X" programID="off" type="static"/>'
SHIFT = '<tlLogic id="X" programID="0" offset="5"/>'
DAY = waut("a", ("100", "b"), ("200", "c"))
UNSORTED = waut("a", ("200", "c"), ("100", "b"))

# name: what the network has besides program 0; the additional files; begin
CASES: dict[str, tuple[str, list[str], float]] = {
    "the network's only program": ("", [], 0),
    "the last of the network": (A + B, [], 0),
    "a program in an additional file": ("", [A], 0),
    "the last in the file": ("", [A + B], 0),
    "the last file": ("", [B, A], 0),
    "off": ("", [A + OFF], 0),
    "off before another": ("", [OFF + A], 0),
    "type off": ("", [logic("z", "GG", type="off")], 0),
    "actuated": ("", [logic("z", "GG", type="actuated")], 0),
    "a shift takes nothing over": ("", [A + SHIFT], 0),
    "the same programID": ("", [logic("0", "GG")], 0),
    "the same programID in the network": (logic("0", "GG"), [], 0),
    "the same file twice": ("", [A, A], 0),
    "no phases": ("", [logic("z")], 0),
    "another signal": ("", [logic("z", "GG", signal="Y")], 0),
    **{f"WAUT at {begin}": ("", [A + B + C + DAY], begin) for begin in (0, 99.5, 100, 101, 199, 200, 201, 999)},
    **{f"unsorted WAUT at {begin}": ("", [A + B + C + UNSORTED], begin) for begin in (0, 100, 150, 200, 300)},
    "WAUT without switches": ("", [A + B + waut("a")], 50),
    "WAUT's only switch is over": ("", [A + B + waut("a", ("0", "b"))], 0),
    **{
        f"WAUT from {reference} at {begin}": ("", [A + B + waut("a", ("100", "b"), refTime=reference)], begin)
        for reference, begin in (("50", 149), ("50", 150), ("-50", 49), ("-50", 50), ("0:01:00", 159), ("0:01:00", 160))
    },
    **{
        f"WAUT with a period at {begin}": ("", [A + B + C + waut("a", ("400", "b"), ("200", "c"), period="300")], begin)
        for begin in (0, 99, 100, 150, 200, 350)
    },
    "WAUT by the clock": ("", [A + B + waut("a", ("0:01:40", "b"))], 100),
    "WAUT by days": ("", [A + B + waut("a", ("0:0:1:40", "b"))], 99),
    "WAUT to the network's program": ("", [A + waut("0", ("100", "a"))], 0),
    "WAUT to off": ("", [A + waut("a", ("100", "off"))], 100),
    "WAUT to an unknown program": ("", [A + waut("a", ("100", "z"))], 100),
    "WAUT to a program unknown as yet": ("", [waut("a"), A], 0),
    "WAUT in the file after its programs": ("", [A + B, DAY + C], 0),
    "a program after the WAUT": ("", [A + B + DAY + C], 0),
    "two WAUTs": ("", [A + B + C + DAY + waut("c", name="v")], 0),
    "WAUT in the network": (A + B + C + DAY, [], 150),
    "WAUT of another signal": ("", [A + waut("a", signal="Y")], 0),
    "a junction before its WAUT": ("", [A + '<wautJunction wautID="w" junctionID="X"/>'], 0),
    "times that are none": ("", [A + waut("a", ("noon", "a"))], 0),
}


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A crossing of two one-way roads, in words; signal X has program 0."""
    folder = tmp_path_factory.mktemp("network")
    ends = {"a": (0, 100), "b": (100, 0), "c": (0, -100), "d": (-100, 0)}
    nodes = "".join(f'<node id="{node}" x="{x}" y="{y}"/>' for node, (x, y) in ends.items())
    ways = "".join(f'<edge id="{one}{two}" from="{one}" to="{two}"/>' for one, two in ("aX", "Xc", "dX", "Xb"))
    straight = '<connection from="aX" to="Xc"/><connection from="dX" to="Xb"/>'
    (folder / "nod.xml").write_text(f'<nodes><node id="X" x="0" y="0" type="traffic_light"/>{nodes}</nodes>')
    (folder / "edg.xml").write_text(f"<edges>{ways}</edges>")
    (folder / "con.xml").write_text(f"<connections>{straight}</connections>")
    run("netconvert", "-n", "nod.xml", "-e", "edg.xml", "-x", "con.xml", "-o", "net.xml", cwd=folder)
    return (folder / "net.xml").read_text()


@pytest.fixture(scope="module")
def files(network: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, list[Path], float]]:
    """For each case the network, the additional files and begin."""
    written = {}
    for name, (more, contents, begin) in CASES.items():
        folder = tmp_path_factory.mktemp("case")
        net = folder / "net.xml"
        net.write_text(network.replace("</tlLogic>", "</tlLogic>" + more))
        additional = [folder / f"{place}.add.xml" for place in range(len(contents))]
        for path, content in zip(additional, contents, strict=True):
            path.write_text(f"<additional>{content}</additional>")
        written[name] = (net, additional, begin)
    return written


@pytest.fixture(scope="module")
def told(files: dict[str, tuple[Path, list[Path], float]]) -> dict[str, tuple[str, list[str]] | None]:
    """For each case SUMO's active program and its states; None if SUMO refuses the files."""
    options = {
        name: ["-n", str(net), "-b", str(begin), *(["-a", ",".join(map(str, additional))] if additional else [])]
        for name, (net, additional, begin) in files.items()
    }
    command = [sys.executable, "-c", PROBE]
    done = subprocess.run(command, input=json.dumps(options), capture_output=True, text=True, check=True, timeout=120)
    answers: dict[str, tuple[str, list[str]] | None] = json.loads(done.stdout.splitlines()[-1])
    return answers


@pytest.mark.parametrize("name", CASES)
def test_active_programs__are_those_of_sumo(
    name: str,
    files: dict[str, tuple[Path, list[Path], float]],
    told: dict[str, tuple[str, list[str]] | None],
) -> None:
    net, additional, begin = files[name]
    expected = told[name]
    if expected is None:
        with pytest.raises(ScenarioError):
            active_programs(net, additional, begin)
        return
    program = active_programs(net, additional, begin)["X"]
    assert (program.program_id, list(program.states)) == tuple(expected)


def test_cases__cover_what_sumo_takes_and_what_it_refuses(told: dict[str, tuple[str, list[str]] | None]) -> None:
    assert {answer[0] for answer in told.values() if answer} >= {"0", "a", "b", "c", "off"}
    assert sum(answer is None for answer in told.values()) >= 8


def write(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def test_active_programs__have_all_that_the_file_says(tmp_path: Path) -> None:
    phases = (
        '<phase duration="0:01:05.5" state="Gr" name="2"/><param key="k" value="v"/><phase duration="3" state="yr"/>'
    )
    shift = '<tlLogic id="X" programID="p" offset="-4"><param key="k" value="w"/><param key="l"/></tlLogic>'
    written = f'<tlLogic id="X" programID="p" type="NEMA" offset="7">{phases}</tlLogic>'
    program = active_programs(write(tmp_path, "n.xml", f"<net>{written}</net>"))["X"]
    assert program.signal == "X"
    assert (program.type, program.offset, program.durations, program.names) == ("NEMA", 7.0, (65.5, 3.0), ("2", ""))
    assert program.parameters == (("k", "v"),)
    shifted = active_programs(write(tmp_path, "s.xml", f"<net>{written}{shift}</net>"))["X"]
    assert (shifted.offset, shifted.states) == (-4.0, program.states)
    assert dict(shifted.parameters) == {"k": "w", "l": ""}
    assert hash(shifted) != hash(program)


def test_active_programs__keep_the_order_of_the_network_and_any_id(tmp_path: Path) -> None:
    ids = ["z", "a b", "#1/2", "ä"]
    net = write(tmp_path, "n.xml", f"<net>{''.join(logic('0', 'G', signal=signal) for signal in ids)}</net>")
    assert list(active_programs(net)) == ids


def test_active_programs__include_rail_signals(tmp_path: Path) -> None:
    net = write(tmp_path, "n.xml", f"<net>{logic('0', signal='R', type='rail_signal')}</net>")
    assert active_programs(net)["R"].states == ()


def test_active_programs__follow_includes_from_where_they_stand(tmp_path: Path) -> None:
    net = write(tmp_path, "n.xml", f"<net>{logic('0', 'G')}</net>")
    write(tmp_path, "sub/deep/a.xml", f"<additional>{A}</additional>")
    include = '<include href="deep/a.xml"/>'
    before = write(tmp_path, "sub/before.xml", f"<additional>{include}{B}</additional>")
    after = write(tmp_path, "sub/after.xml", f"<additional>{B}{include}</additional>")
    assert active_programs(net, [before])["X"].program_id == "b"
    assert active_programs(net, [after])["X"].program_id == "a"


def test_active_programs__read_gzip_whatever_the_name(tmp_path: Path) -> None:
    content = f"<net>{logic('0', 'G')}</net>"
    packed, plain = tmp_path / "packed.xml", write(tmp_path, "plain.xml.gz", content)
    packed.write_bytes(gzip.compress(content.encode()))
    assert active_programs(packed) == active_programs(plain)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no XML",
        b"<net><tlLogic id='X' type='static'>",
        b"<net><tlLogic id='X' type='static'></net>",
        gzip.compress(b"<net/>" * 99, mtime=0)[:-12],
        b"<net><tlLogic programID='0'><phase duration='5' state='G'/></tlLogic></net>",
        b"<net><tlLogic id='X'><phase state='G'/></tlLogic></net>",
        b"<net><tlLogic id='X'><phase duration='long' state='G'/></tlLogic></net>",
    ],
)
def test_active_programs__name_the_file_that_is_wrong(content: bytes, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.add.xml"
    wrong.write_bytes(content)
    net = write(tmp_path, "n.xml", f"<net>{logic('0', 'G')}</net>")
    with pytest.raises(ScenarioError, match=r"wrong\.add\.xml"):
        active_programs(net, [wrong])


def test_active_programs__name_the_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"nope\.net\.xml"):
        active_programs(tmp_path / "nope.net.xml")
