from pathlib import Path

from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.controllers.choice import approach
from sumo_gymnasium.controllers.pressure import MaxPressure, pressures
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.net import Link
from sumo_gymnasium.scenarios.registry import scenario_of
from tests.controllers.crossing import LINKS, Crossing


def test_pressures__are_incoming_less_outgoing_of_each_green_link() -> None:
    crossing = Crossing(north=5, south=1, to_south=2, east=4, west=4, to_east=7)
    assert pressures(MaxPressure(), crossing.kernel, "A") == [5 - 2 + 1, 4 + 4 - 7]


def test_pressures__count_a_lane_for_each_of_its_links() -> None:
    crossing = Crossing(north=5)
    crossing.signal(links=(LINKS[0], Link(1, "north", "to_east", "", "l", False), *LINKS[2:]))
    assert pressures(MaxPressure(), crossing.kernel, "A") == [10, 0]


def test_max_pressure__prefers_fewer_vehicles_with_room_behind() -> None:
    crossing = Crossing(north=9, to_south=8, east=3)
    assert MaxPressure()(crossing.kernel, "A") == 1


def test_max_pressure__keeps_the_phase_in_a_tie() -> None:
    crossing = Crossing(north=3, east=3)
    assert MaxPressure()(crossing.kernel, "A") == 0
    crossing.signal(phase=1)
    assert MaxPressure()(crossing.kernel, "A") == 1


def test_max_pressure__looks_anew_at_every_call() -> None:
    crossing, controller = Crossing(north=3), MaxPressure()
    assert controller(crossing.kernel, "A") == 0
    crossing.lanes["west"] = Crossing(west=4).lanes["west"]
    assert controller(crossing.kernel, "A") == 1


def test_max_pressure__counts_what_stands_before_a_short_lane(tmp_path: Path) -> None:
    kernel = Kernel(scenario_of("resco-ingolstadt1"), SumoConfig())
    (signal,) = kernel.traffic_light.ids
    incoming = kernel.traffic_light.incoming_lanes(signal)
    short = [lane for lane in incoming if kernel.network.length(lane) < 20]
    assert len(short) == 2
    for lane in incoming:
        found = approach(kernel, lane, reach=100)
        assert found[0] == lane
        assert not set(found[1:]) & set(incoming)
        assert kernel.network.length(lane) < 100 or found == (lane,)
    assert all(len(approach(kernel, lane, reach=100)) > 1 for lane in short)
    assert approach(kernel, short[0], reach=1) == (short[0],)
