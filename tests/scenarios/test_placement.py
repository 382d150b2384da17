import numpy as np
import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.placement import coming, mixed, platoon


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("agent", "agent"),
        ("agent human human", "agent human human"),
        ("(agent human*2)*2", "agent human human agent human human"),
        ("  truck_1*2(agent)*1 ", "truck_1 truck_1 agent"),
        ("((a b)*2 c)*2", "a b a b c a b a b c"),
    ],
)
def test_platoon__is_written_out(text: str, types: str) -> None:
    assert platoon(text) == tuple(types.split())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it names no type"),
        ("()*3", "it names no type"),
        ("(agent human*5", "a bracket is not closed"),
        ("agent)", r"'\)' is out of place"),
        ("agent*", "'the end' after '\\*'; a whole number"),
        ("agent*0", "'0' after"),
        ("agent*human", "'human' after"),
        ("5*agent", "'5' is out of place"),
        ("agent, human", "',' is out of place"),
        ("agent*999999999", "more than 100000 vehicles"),
        ("(agent*1000)*1000", "more than 100000 vehicles"),
    ],
)
def test_platoon__that_cannot_be_read_is_said(text: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=f'placement=.*{message}.*expected "even", "random"'):
        platoon(text)


def test_even__has_the_share_equally_far_apart() -> None:
    types = mixed("even", 0.25, 20, np.random.default_rng(1))
    assert [place for place, kind in enumerate(types) if kind == "agent"] == [0, 4, 8, 12, 16]


def test_random__has_the_share_anywhere() -> None:
    one, other = (mixed("random", 0.3, 20, np.random.default_rng(seed)) for seed in (1, 2))
    assert one.count("agent") == other.count("agent") == 6
    assert one != other


def test_platoons__must_add_up() -> None:
    assert mixed("(agent human)*2", 0.0, 8, np.random.default_rng(1)) == ("agent", "human") * 4
    with pytest.raises(ScenarioError, match="names 4 vehicles, vehicles=6: expected a multiple"):
        mixed("(agent human)*2", 0.0, 6, np.random.default_rng(1))


def test_coming__has_the_share() -> None:
    random = np.random.default_rng(1)
    every_fifth = coming("even", 0.2, 100, random)
    assert [place for place, kind in enumerate(every_fifth) if kind == "agent"] == list(range(4, 100, 5))
    assert 120 < coming("random", 0.15, 1000, random).count("agent") < 180
    assert coming("agent human*2", 0.0, 5, random) == ("agent", "human", "human", "agent", "human")


@pytest.mark.parametrize("placement", ["even", "random"])
@pytest.mark.parametrize(("penetration", "kinds"), [(0.0, {"human"}), (1.0, {"agent"})])
def test_no_or_all_agents__are_exactly_that(placement: str, penetration: float, kinds: set[str]) -> None:
    random = np.random.default_rng(1)
    assert set(mixed(placement, penetration, 22, random)) == set(coming(placement, penetration, 22, random)) == kinds
