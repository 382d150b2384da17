from pathlib import Path

import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.generate import converted
from sumo_gymnasium.scenarios.net import read_net
from sumo_gymnasium.scenarios.streets import Street, Streets


@pytest.mark.parametrize(("lanes", "turn_lanes"), [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 1), (4, 2)])
def test_crossing__has_all_turns_from_all_sides(lanes: int, turn_lanes: int) -> None:
    street = Street(lanes, turn_lanes, 13.89)
    streets = Streets([["X"]], [0.0], [0.0], 100.0, street, street)
    net = read_net(converted("crossing", streets.plain(), ["--no-turnarounds"]))
    turns = [(net.lanes[link.origin].edge, link.direction.lower()) for link in net.links["X"]]
    assert {turns.count(turn) for turn in turns if turn[1] == "s"} == {lanes}
    assert {turns.count(turn) for turn in turns if turn[1] == "l"} == {max(turn_lanes, 1)}
    assert len(set(turns)) == 12
    assert len(net.edges["X_north_X"].lanes) == lanes + turn_lanes
    assert len(net.edges["X_X_north"].lanes) == lanes


def test_neighbours__lie_where_the_nodes_are() -> None:
    street = Street(1, 0, 10.0)
    streets = Streets([["a", "b"], ["c", "d"]], [0.0, 100.0], [0.0, 50.0], 30.0, street, street)
    assert streets.neighbours()["a"] == {"west": "a_west", "east": "b", "south": "a_south", "north": "c"}
    net = read_net(converted("square", streets.plain()))
    assert (net.junctions["d"].x, net.junctions["d"].y) == (130, 80)  # netconvert moves the lower left corner to 0, 0
    assert Path(converted("square", streets.plain())).is_file()


@pytest.mark.parametrize("wrong", [{"lanes": 0}, {"turn_lanes": 3}, {"speed": "fast"}])
def test_street__refuses_what_cannot_be_built(wrong: dict[str, object]) -> None:
    with pytest.raises(ScenarioError, match=next(iter(wrong))):
        Street.of(**{"lanes": 1, "turn_lanes": 0, "speed": 10.0, **wrong})
