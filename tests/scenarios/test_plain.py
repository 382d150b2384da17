from xml.etree import ElementTree

import pytest

from sumo_gymnasium.scenarios.plain import Connection, Edge, Node, arc, plain, straight


def test_arc__begins_and_ends_at_its_angles() -> None:
    points = arc(10, 5, 2, 180, -90, points=3)
    assert len(points) == 4
    assert points[0] == (pytest.approx(8), pytest.approx(5))
    assert points[1] == (pytest.approx(10), pytest.approx(7))
    assert points[-1] == (pytest.approx(10), pytest.approx(3))


def test_straight__leads_on_where_both_lanes_are_open() -> None:
    one, other = Edge("a", "x", "y", 3, 10), Edge("b", "y", "z", 4, 10, closed=1)
    assert [(way.lane, way.onto) for way in straight(one, other)] == [(1, 1), (2, 2)]


def test_plain__is_xml_that_says_all() -> None:
    edge = Edge("a", "x", "y", 2, 10, shape=[(0, 0), (1, 2)], length=7, closed=1)
    texts = plain([Node("x", 1, 2, "zipper")], [edge], [Connection("a", "b", 0, 1, "0.1")])
    (found,) = ElementTree.fromstring(texts["edges"])
    assert (found.get("length"), found.get("shape")) == ("7.000", "0.000,0.000 1.000,2.000")
    assert [(lane.get("index"), lane.get("disallow")) for lane in found] == [("0", "all")]
    (node,) = ElementTree.fromstring(texts["nodes"])
    assert node.get("type") == "zipper"
    (connection,) = ElementTree.fromstring(texts["connections"])
    assert (connection.get("toLane"), connection.get("length")) == ("1", "0.1")
    assert "connections" not in plain([], [])
