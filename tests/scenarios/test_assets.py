from pathlib import Path

import pytest

import sumo_gymnasium
from sumo_gymnasium.scenarios.assets import assets


def test_assets__holds_the_shipped_scenarios() -> None:
    assert (assets() / "intersection" / "intersection.net.xml").is_file()


@pytest.mark.parametrize(("inside", "expected"), [(True, "sumo_gymnasium/assets"), (False, "assets")])
def test_assets__in_the_package_if_there_else_beside_it(
    inside: bool, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "sumo_gymnasium"
    (package / "assets" if inside else package).mkdir(parents=True)
    monkeypatch.setattr(sumo_gymnasium, "__file__", str(package / "__init__.py"))
    assert assets() == tmp_path / expected
