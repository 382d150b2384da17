"""Small networks and what drives on them, for the tests of the vehicle kernel."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sumo_gymnasium.backends.options import command_line
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.generate import netconvert
from sumo_gymnasium.scenarios.scenario import Scenario

SIDES = ("bottom", "right", "top", "left")
RING = "bottom right top left"
TYPE = '<vType id="car" length="5" minGap="2" sigma="0" accel="2.6" decel="4.5" speedFactor="1" speedDev="0" {}/>'


def net(folder: Path, nodes: str, edges: str, connections: str | None = None) -> str:
    """Built from plain XML."""
    files = {"nodes": f"<nodes>{nodes}</nodes>", "edges": f"<edges>{edges}</edges>"}
    if connections is not None:
        files["connections"] = f"<connections>{connections}</connections>"
    for kind, text in files.items():
        (folder / f"plain.{kind}.xml").write_text(text)
    paths: dict[str, Any] = {kind: folder / f"plain.{kind}.xml" for kind in files}
    return str(netconvert(folder / "test.net.xml", **paths, options=("--no-turnarounds", "true")))


def ring(folder: Path, lanes: int = 1, radius: float = 40.0) -> str:
    """A ring of four edges, anticlockwise, with a junction between each two."""
    corners = [(radius * math.sin(angle), -radius * math.cos(angle)) for angle in (0, math.pi / 2, math.pi, 4.712389)]
    nodes = "".join(f'<node id="{side}" x="{x}" y="{y}"/>' for side, (x, y) in zip(SIDES, corners, strict=True))
    edges = ""
    for number, side in enumerate(SIDES):
        angles = [math.pi / 2 * (number + part / 12) for part in range(13)]
        shape = " ".join(f"{radius * math.sin(angle):.3f},{-radius * math.cos(angle):.3f}" for angle in angles)
        ends = f'from="{side}" to="{SIDES[(number + 1) % 4]}"'
        edges += f'<edge id="{side}" {ends} numLanes="{lanes}" speed="30" shape="{shape}"/>'
    return net(folder, nodes, edges)


def line(folder: Path, lengths: tuple[float, ...] = (500.0, 500.0), lanes: int = 1) -> str:
    """Straight edges e0, e1, … one after the other."""
    places = [sum(lengths[:place]) for place in range(len(lengths) + 1)]
    nodes = "".join(f'<node id="n{number}" x="{x}" y="0"/>' for number, x in enumerate(places))
    edges = "".join(
        f'<edge id="e{number}" from="n{number}" to="n{number + 1}" numLanes="{lanes}" speed="30"/>'
        for number in range(len(lengths))
    )
    return net(folder, nodes, edges)


def crossing(folder: Path) -> str:
    """From the west and from the south, to the east and to the north: edges w, s, e, n, 100 m each, of one lane."""
    nodes = '<node id="c" x="0" y="0"/>' + "".join(
        f'<node id="{name}" x="{x}" y="{y}"/>'
        for name, x, y in (("W", -100, 0), ("S", 0, -100), ("E", 100, 0), ("N", 0, 100))
    )
    ends = (("w", "W", "c"), ("s", "S", "c"), ("e", "c", "E"), ("n", "c", "N"))
    edges = "".join(f'<edge id="{name}" from="{a}" to="{b}" numLanes="1" speed="14"/>' for name, a, b in ends)
    return net(folder, nodes, edges)


def vehicle(name: str, edges: str, **attributes: Any) -> str:
    """One vehicle of the type "car"."""
    settings = {"depart": 0, "departPos": 10, "departSpeed": 0, "type": "car", **attributes}
    words = " ".join(f'{key}="{value}"' for key, value in settings.items())
    return f'<vehicle id="{name}" {words}><route edges="{edges}"/></vehicle>'


@contextmanager
def running(
    folder: Path,
    net_file: str,
    vehicles: str,
    *,
    driver: str = "",
    step_length: float = 1.0,
    additional_files: tuple[str, ...] = (),
    **config: Any,
) -> Iterator[Kernel]:
    """A kernel in which SUMO runs, one step after begin."""
    routes = folder / "test.rou.xml"
    routes.write_text(f"<routes>{TYPE.format(driver)}{vehicles}</routes>")
    files = {"net_file": net_file, "route_files": (str(routes),), "additional_files": additional_files}
    scenario = Scenario(**files, end=1000, step_length=step_length)  # type: ignore[arg-type]
    kernel = Kernel(scenario, SumoConfig(**config))
    output = folder / "output"
    output.mkdir(exist_ok=True)
    try:
        kernel.start(command_line(kernel.scenario, kernel.config, str(output), 1), 1)
        kernel.step()
        yield kernel
    finally:
        kernel.close()


def steps(kernel: Kernel, count: int) -> None:
    """So many steps."""
    for _ in range(count):
        kernel.step()
