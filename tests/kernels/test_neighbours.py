"""Neighbours against geometry: on rings, along several edges, through a junction, beside each other."""

from pathlib import Path
from random import Random

import pytest

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.kernels.neighbours import LaneNeighbours, Neighbour
from tests.kernels.roads import RING, crossing, line, ring, running, steps, vehicle

CALM = 'lcKeepRight="0" lcSpeedGain="0" lcCooperative="0" lcStrategic="0"'


def around(kernel: Kernel, one: str, lane: int) -> LaneNeighbours:
    """Who is ahead and behind on `lane` of a ring, by the positions around it of all."""
    read = kernel.vehicle
    lap = read.way_length(one)
    ahead = {
        other: (read.x(other) - read.x(one)) % lap
        for other in read.ids
        if other != one and read.lane_index(other) == lane
    }
    if not ahead:
        return LaneNeighbours(None, None)
    first, last = min(ahead, key=lambda each: ahead[each]), max(ahead, key=lambda each: ahead[each])
    gaps = ahead[first] - read.length(first), lap - ahead[last] - read.length(one)
    return LaneNeighbours(Neighbour(first, gaps[0]), Neighbour(last, gaps[1]))


JOINTS = 0.25  # m; lanes across a node where nothing bends are 0.1 m long, and have no room in the plane


def assert_same(found: Neighbour | None, expected: Neighbour | None, within: float = 1e-6) -> None:
    assert (found and found.id) == (expected and expected.id)
    if found is not None and expected is not None:
        assert found.gap == pytest.approx(expected.gap, abs=within)


@pytest.mark.parametrize("count", [1, 2, 3, 14])
def test_leader_and_follower__on_a_ring_are_those_of_geometry(count: int, tmp_path: Path) -> None:
    random, sides = Random(count), RING.split()
    vehicles = ""
    for number in range(count):
        side = number % 4
        start = " ".join((sides * 2)[side : side + 4] * 3)
        vehicles += vehicle(f"v{number}", start, departPos=8 + 11 * (number // 4) + random.random())
    inside = 0
    with running(tmp_path, ring(tmp_path), vehicles, step_length=0.1, decision_interval=1) as kernel:
        for _ in range(300):
            kernel.step()
            read = kernel.vehicle
            for one in read.ids:
                leader, follower = around(kernel, one, 0)
                assert_same(read.leader(one), leader)
                assert_same(read.follower(one), follower)
                inside += read.lane(one).startswith(":")
        assert len(read.ids) == count
    assert inside or count < 14  # few are ever seen on so short a lane


def test_lane_neighbours__on_a_ring_of_three_lanes_are_those_of_geometry(tmp_path: Path) -> None:
    sides, random = RING.split(), Random(1)
    vehicles = ""
    for number in range(24):
        side, lane = number % 4, number % 3
        start = " ".join((sides * 2)[side : side + 4] * 3)
        position = 8 + 9 * (number // 12) + 14 * lane + random.random()
        vehicles += vehicle(f"v{number}", start, departPos=position, departLane=lane, departSpeed=lane)
    checked = 0
    # All lanes of this ring are given one length, that of an edge, so that places beside each other have equal numbers.
    with running(tmp_path, ring(tmp_path, lanes=3), vehicles, driver=CALM) as kernel:
        for _ in range(25):
            kernel.step()
            read = kernel.vehicle
            for one in read.ids:
                if any(read.lane(each).startswith(":") for each in read.ids):
                    continue  # lanes inside a junction differ in length a little
                lanes = read.lane_neighbours(one)
                assert len(lanes) == 3
                for lane, (leader, follower) in enumerate(lanes):
                    expected = around(kernel, one, lane)
                    assert_same(leader, expected.leader)
                    assert_same(follower, expected.follower)
                    checked += 1
                own = read.lane_index(one)
                assert lanes[own] == (read.leader(one), read.follower(one))
                left = lanes[own + 1] if own < 2 else LaneNeighbours(None, None)
                right = lanes[own - 1] if own > 0 else LaneNeighbours(None, None)
                assert (read.left_leader(one), read.left_follower(one)) == left
                assert (read.right_leader(one), read.right_follower(one)) == right
    assert checked > 100


def test_leader__is_seen_far_beyond_what_sumo_looks_at(tmp_path: Path) -> None:
    both = vehicle("a", "e0 e1 e2") + vehicle("b", "e2", departPos=250)
    with running(tmp_path, line(tmp_path, (500, 500, 500)), both) as kernel:
        gap = kernel.vehicle.position("b")[0] - kernel.vehicle.position("a")[0] - 5
        assert kernel._backend.vehicle.getLeader("a", 100) is None  # type: ignore[union-attr]
        assert_same(kernel.vehicle.leader("a"), Neighbour("b", gap), JOINTS)
        assert_same(kernel.vehicle.follower("b"), Neighbour("a", gap), JOINTS)
        assert kernel.vehicle.leader("b") is kernel.vehicle.follower("a") is None


def test_leader__is_sumos_with_its_min_gap(tmp_path: Path) -> None:
    both = vehicle("a", "e0 e1") + vehicle("b", "e0 e1", departPos=40)
    with running(tmp_path, line(tmp_path), both) as kernel:
        for _ in range(30):
            kernel.step()
            other, distance = kernel._backend.vehicle.getLeader("a", 500)  # type: ignore[union-attr]
            assert_same(kernel.vehicle.leader("a"), Neighbour(other, distance + kernel.vehicle.min_gap("a")))


def test_neighbours__through_a_junction_are_those_of_geometry(tmp_path: Path) -> None:
    both = vehicle("a", "w e", departPos=60) + vehicle("b", "w e", departPos=80)
    inside = 0
    with running(tmp_path, crossing(tmp_path), both, step_length=0.2, decision_interval=1) as kernel:
        for _ in range(40):
            kernel.step()
            read = kernel.vehicle
            gap = read.position("b")[0] - read.position("a")[0] - 5  # straight on, from west to east
            assert_same(read.leader("a"), Neighbour("b", gap))
            assert_same(read.follower("b"), Neighbour("a", gap))
            inside += read.lane("b").startswith(":")
    assert inside


def test_neighbours__that_turn_off_count_until_their_back_is_off(tmp_path: Path) -> None:
    both = vehicle("a", "w e", departPos=40) + vehicle("b", "w n", departPos=80)
    with running(tmp_path, crossing(tmp_path), both, step_length=0.1, decision_interval=1) as kernel:
        read, seen = kernel.vehicle, set()
        kernel.vehicle.drive("a", 0)
        for _ in range(100):
            kernel.step()
            lane, leader, past = read.lane("b"), read.leader("a"), read.x("b") - kernel.network.length("w_0")
            off = past >= 5
            seen.add((lane.startswith(":"), off, leader is not None))
            if off:
                assert leader is None
                assert read.follower("b") is None
            else:
                assert_same(leader, Neighbour("b", kernel.network.length("w_0") + past - 5 - read.lane_position("a")))
        assert {(True, False, True), (True, True, False), (False, True, False)} <= seen


def test_neighbours__do_not_come_from_the_other_arm(tmp_path: Path) -> None:
    both = vehicle("a", "w e", departPos=60) + vehicle("b", "s e", departPos=85)
    with running(tmp_path, crossing(tmp_path), both, step_length=0.5, decision_interval=1) as kernel:
        kernel.vehicle.drive("a", 0)
        read = kernel.vehicle
        assert read.leader("a") is None
        while not read.lane("b").startswith("e"):
            kernel.step()
        steps(kernel, 2)
        leader = read.leader("a")
        assert leader is not None
        assert leader.gap == pytest.approx(read.position("b")[0] - read.position("a")[0] - 5, abs=1e-6)
        assert_same(read.follower("b"), Neighbour("a", leader.gap))


def test_gap__counts_a_long_vehicle_from_its_back(tmp_path: Path) -> None:
    lorry = '<vType id="lorry" length="30" minGap="2"/>'
    three = vehicle("a", "e0 e1 e2") + vehicle("b", "e2", type="lorry", departPos=10)
    with running(tmp_path, line(tmp_path, (100, 12, 300)), lorry + three) as kernel:
        read = kernel.vehicle
        read.drive("a", 0)
        while "b" not in read.ids:
            kernel.step()
        for _ in range(8):
            leader = read.leader("a")
            assert leader is not None
            assert leader.gap == pytest.approx(read.position("b")[0] - read.position("a")[0] - 30, abs=JOINTS)
            kernel.step()


def test_gap__beside_another_is_negative(tmp_path: Path) -> None:
    both = vehicle("a", "e0", departLane=0, departPos=20) + vehicle("b", "e0", departLane=1, departPos=22)
    with running(tmp_path, line(tmp_path, (500,), lanes=2), both, driver=CALM) as kernel:
        read = kernel.vehicle
        assert read.left_leader("a") == Neighbour("b", 22 - 5 - 20)
        assert read.right_follower("b") == Neighbour("a", 22 - 5 - 20)
        assert read.left_follower("a") is read.right_leader("b") is None
        assert read.leader("a") is read.leader("b") is read.right_leader("a") is read.left_leader("b") is None
        assert read.lane_neighbours("a") == ((None, None), (Neighbour("b", -3), None))
