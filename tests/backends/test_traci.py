from pathlib import Path
from typing import Any

import pytest

from sumo_gymnasium.backends import BackendError
from sumo_gymnasium.backends.libsumo import Libsumo
from sumo_gymnasium.backends.traci import LANE_READS, VEHICLE_READS, Subscribed, Traci
from tests.conftest import CASES, children

FOLDER = CASES / "05-joined-index-gaps"
OPTIONS = ["-n", str(FOLDER / "a-joined.net.xml"), "-r", str(FOLDER / "a.rou.xml"), "--no-step-log"]


def test_backends__read_the_same() -> None:
    before = children()
    ours, theirs = Libsumo(OPTIONS), Traci(OPTIONS)
    try:
        for _ in range(60):
            ours.step()
            theirs.step()
            for lane in ("mid_e_0", "w2P_0"):
                for read in LANE_READS:
                    assert getattr(ours.lane, read)(lane) == getattr(theirs.lane, read)(lane), read
            for vehicle in ours.vehicle.getIDList():
                for read in VEHICLE_READS:
                    assert getattr(ours.vehicle, read)(vehicle) == getattr(theirs.vehicle, read)(vehicle), read
    finally:
        ours.close()
        theirs.close()
    assert children() == before


class Domain:
    """Counts what is asked of it."""

    def __init__(self) -> None:
        self.subscribed: list[tuple[str, tuple[int, ...]]] = []

    def subscribe(self, name: str, variables: list[int]) -> None:
        self.subscribed.append((name, tuple(variables)))

    def getSubscriptionResults(self, name: str) -> dict[int, Any]:
        known = [variables for subscribed, variables in self.subscribed if subscribed == name]
        return {variable: f"{name}{variable}" for variable in known[-1]} if known else {}

    def getFirst(self, name: str) -> None:
        raise AssertionError("a read of its own")

    getSecond = getFirst  # noqa: N815


def test_frequent_reads__are_subscribed_to_once() -> None:
    domain = Domain()
    reads: Any = Subscribed(domain, {"getFirst": 1, "getSecond": 2})
    assert [reads.getFirst("a") for _ in range(3)] == ["a1"] * 3
    assert reads.getSecond("a") == "a2"
    assert reads.getFirst("a") == "a1"
    assert reads.getSecond("b") == "b2"
    assert domain.subscribed == [("a", (1,)), ("a", (1, 2)), ("b", (1, 2))]


@pytest.mark.parametrize("start", [Libsumo, Traci])
def test_start__says_what_sumo_does_not_like(start: Any, tmp_path: Path) -> None:
    before, bad = children(), CASES / "15-bad-inputs"
    with pytest.raises(BackendError, match="nowhere"):
        start(["-n", str(bad / "good.net.xml"), "-r", str(bad / "01-unknown-edge.rou.xml")])
    assert children() == before
    good = start(OPTIONS)
    good.step()
    good.close()
