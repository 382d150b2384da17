import pytest

from sumo_gymnasium.backends import BackendError, versions


def test_versions__that_are_installed_fit() -> None:
    versions.check_versions()


def test_versions__that_differ_are_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "version", lambda part: "1.27.0" if part == "libsumo" else "1.28.3")
    with pytest.raises(BackendError, match=r"libsumo 1\.27\.0, .*pip install libsumo==1\.28\.3"):
        versions.check_versions.__wrapped__()
    monkeypatch.setattr(versions, "version", lambda part: f"1.28.{len(part)}")
    versions.check_versions.__wrapped__()
