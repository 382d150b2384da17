"""Networks made by SUMO's netconvert and netgenerate. The same input gives the same bytes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import sumolib

from sumo_gymnasium.scenarios import tools
from sumo_gymnasium.scenarios.cache import made
from sumo_gymnasium.scenarios.scenario import Scenario

_COMMENT = re.compile(r"<!-- generated on .*?-->\s*", re.DOTALL)  # time stamp and the paths of this machine


def netconvert(
    output: str | Path,
    *,
    nodes: str | Path,
    edges: str | Path,
    connections: str | Path | None = None,
    tllogics: str | Path | None = None,
    options: Sequence[str] = (),
) -> Path:
    """The network `output`, built from plain XML files and further `options` of netconvert.

    Raises:
        ScenarioError: netconvert failed; the message holds its last words.
    """
    files = {"node-files": nodes, "edge-files": edges, "connection-files": connections, "tllogic-files": tllogics}
    given = [f"--{option}={file}" for option, file in files.items() if file is not None]
    tools.run("netconvert", *given, *options, f"--output-file={output}")
    return _without_comment(Path(output))


def netgenerate(output: str | Path, *options: str) -> Path:
    """The network `output`, made up by netgenerate with `options`.

    Raises:
        ScenarioError: netgenerate failed; the message holds its last words.
    """
    tools.run("netgenerate", *options, f"--output-file={output}")
    return _without_comment(Path(output))


def generated(name: str, *options: str) -> str:
    """The path of the network that netgenerate makes up with `options`, made once and kept.

    Raises:
        ScenarioError: netgenerate failed; the message holds its last words.
    """
    file = f"{name}.net.xml"
    return str(made(name, ["netgenerate", *options], lambda folder: netgenerate(folder / file, *options)) / file)


def converted(name: str, plain: Mapping[str, str], options: Sequence[str] = ()) -> str:
    """The path of the network that netconvert makes of plain XML, made once and kept.

    Args:
        name: of the file and its folder.
        plain: the text of "nodes", "edges" and perhaps "connections" and "tllogics".
        options: further ones of netconvert.

    Raises:
        ScenarioError: netconvert failed; the message holds its last words.
    """
    file = f"{name}.net.xml"

    def make(folder: Path) -> None:
        files = {kind: folder / f"{name}.{kind}.xml" for kind in plain}
        for kind, path in files.items():
            path.write_text(plain[kind], encoding="utf-8", newline="\n")
        netconvert(folder / file, **files, options=options)

    return str(made(name, ["netconvert", dict(plain), *options], make) / file)


def random_network(folder: str | Path, seed: int, *, flow: float = 1200.0, end: float = 600.0) -> Scenario:
    """A random network with signals, and `flow` vehicles an hour over random routes, written into `folder`.

    All follows `seed`: kinds of program (static, actuated, delay-based, NEMA), layout, yellow, all-red, lanes, turn
    lanes, signals at every node (dead ends then have one without links) and, in a third of the networks, pedestrians.
    """
    random = Random(seed)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    walks = random.random() < 1 / 3
    net = netgenerate(folder / f"random-{seed}.net.xml", f"--seed={seed}", *_random_options(random, walks))
    routes = folder / f"random-{seed}.rou.xml"
    body = "".join(_random_flows(net, random, flow, end, walks))
    routes.write_text(f"<routes>\n{body}</routes>\n", encoding="utf-8", newline="\n")
    return Scenario(net_file=str(net), route_files=(str(routes),), end=end, name=f"random-{seed}")


def _random_options(random: Random, walks: bool) -> list[str]:
    nodes = random.choice(("--tls.guess", "--tls.guess", "--default-junction-type=traffic_light"))
    return [
        "--rand",
        f"--rand.iterations={random.randint(8, 24)}",
        f"--default.lanenumber={random.randint(1, 3)}",
        f"--turn-lanes={random.randint(0, 1)}",
        nodes,
        "--tls.guess.threshold=0",
        f"--tls.default-type={random.choice(('static', 'static', 'actuated', 'delay_based', 'NEMA'))}",
        f"--tls.layout={random.choice(('opposites', 'incoming'))}",
        f"--tls.yellow.time={random.randint(3, 5)}",
        f"--tls.allred.time={random.randint(0, 2)}",
        f"--tls.group-signals={str(random.random() < 0.25).lower()}",  # one link index for several links
        "--no-turnarounds.except-deadend",
        *(("--sidewalks.guess", "--crossings.guess") if walks else ()),
    ]


def _random_flows(net: Path, random: Random, flow: float, end: float, walks: bool) -> Iterator[str]:
    pairs = list(_random_pairs(net, random, count=20))
    for number, (origin, destination) in enumerate(pairs):
        times = f'begin="0" end="{end:g}" period="exp({flow / 3600 / len(pairs):.6f})"'
        yield (
            f'    <flow id="vehicle{number}" from="{origin}" to="{destination}" {times}'
            ' departLane="best" departSpeed="max"/>\n'
        )
        if walks:
            walk = f'<walk from="{origin}" to="{destination}"/>'
            yield f'    <personFlow id="person{number}" {times}>{walk}</personFlow>\n'


def _random_pairs(net: Path, random: Random, count: int) -> Iterator[tuple[str, str]]:
    """Pairs of edges, drawn by `random`, of which a car can reach the second from the first."""
    graph = sumolib.net.readNet(str(net))
    edges = sorted((edge for edge in graph.getEdges() if edge.allows("passenger")), key=lambda edge: str(edge.getID()))
    for _ in range(count):
        origin = random.choice(edges)
        reachable = sorted(edge.getID() for edge in graph.getReachable(origin, vclass="passenger"))
        yield origin.getID(), random.choice(reachable)


def _without_comment(net: Path) -> Path:
    text = net.read_text(encoding="utf-8")
    net.write_text(_COMMENT.sub("", text, count=1), encoding="utf-8", newline="\n")
    return net
