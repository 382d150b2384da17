"""Imports point down: a layer imports itself and those before it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import sumo_gymnasium

PACKAGE = Path(sumo_gymnasium.__file__).parent
LAYERS = [
    {"errors", "names"},
    {"config"},
    {"signals"},
    {"scenarios"},
    {"backends"},
    {"kernels"},
    {"metrics"},
    {"actions", "observations", "rewards", "terminations"},
    {"agents"},
    {"controllers"},
    {"renderers", "recording"},
    {"envs"},
    {"registration"},
    {"traffic_light_v0", "vehicle_v0", "traffic_v0"},
    {"evaluation", "plots"},
    {"adapters"},
    {"testing", "__init__", "__main__"},
]
ONLY = {"libsumo": {"backends"}, "traci": {"backends"}, "sumolib": {"scenarios", "backends"}}
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "assets" not in path.parts)


def layer_of(name: str) -> int:
    (found,) = (level for level, names in enumerate(LAYERS) if name in names)
    return found


def subject(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = [f"{module}.{alias.name}" for alias in node.names] if module == "sumo_gymnasium" else [module]
            yield from names


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports__point_down(path: Path) -> None:
    here = layer_of(subject(path))
    for name in imports(path):
        first, _, rest = name.partition(".")
        if first == "sumo_gymnasium" and rest:
            assert layer_of(rest.split(".")[0]) <= here, f"{path.name} imports {name}"
        if first in ONLY:
            assert subject(path) in ONLY[first], f"{path.name} imports {name}"


def test_netconvert__is_run_in_one_place_only() -> None:
    named = {path.name for path in FILES if '"netconvert"' in path.read_text() or '"netgenerate"' in path.read_text()}
    assert named <= {"generate.py", "tools.py"}


def test_adapters__are_imported_by_nobody_here() -> None:
    importing = {
        subject(path) for path in FILES for name in imports(path) if name.startswith("sumo_gymnasium.adapters")
    }
    assert importing <= {"adapters"}


def test_optional_libraries__are_not_imported_with_the_package() -> None:
    optional = {"stable_baselines3", "ray", "torch", "pygame", "matplotlib", "pandas"}
    for path in (path for path in FILES if subject(path) != "adapters"):
        top = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {alias.name.split(".")[0] for node in top if isinstance(node, ast.Import) for alias in node.names}
        names |= {(node.module or "").split(".")[0] for node in top if isinstance(node, ast.ImportFrom)}
        assert not names & optional, path
