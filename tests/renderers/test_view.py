import pytest

from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.renderers.view import MARGIN, bounds, network_box, signal_box, view_of
from sumo_gymnasium.scenarios.registry import scenario_of


def test_view_of__fits_the_box_and_keeps_the_aspect_ratio() -> None:
    view = view_of((0, 0), (200, 100), (600, 600))
    left, right = view.pixel((0, 50)), view.pixel((200, 50))
    low, high = view.pixel((100, 0)), view.pixel((100, 100))
    assert left == pytest.approx((600 * MARGIN, 300))
    assert right == pytest.approx((600 * (1 - MARGIN), 300))
    assert low[1] - high[1] == pytest.approx((right[0] - left[0]) / 2)


def test_view_of__north_is_up() -> None:
    view = view_of((0, 0), (100, 100), (600, 400))
    assert view.pixel((50, 100))[1] < view.pixel((50, 0))[1]


def test_view_of__bears_a_box_without_area() -> None:
    assert view_of((5, 5), (5, 5), (600, 600)).pixel((5, 5)) == (300, 300)


def test_shows__is_true_where_a_part_is_inside() -> None:
    view = view_of((0, 0), (100, 100), (600, 600))
    assert view.shows([(-50, 50), (150, 60)])
    assert not view.shows([(110, 50)])
    assert view.shows([(110, 50)], around=10)
    assert not view.shows([(50, -1e9)], around=200)


def test_metres__undo_the_scale() -> None:
    view = view_of((0, 0), (100, 100), (600, 600))
    assert view.metres(view.scale * 7) == pytest.approx(7)


def test_bounds__are_the_extremes() -> None:
    assert bounds([(1, 5), (-2, 7), (0, 6)]) == ((-2, 5), (1, 7))


def test_network_box__holds_every_lane() -> None:
    kernel = Kernel(scenario_of("intersection-uniform"), SumoConfig())
    (x0, y0), (x1, y1) = network_box(kernel)
    points = [point for lane in kernel.network.lanes.values() for point in lane.shape]
    assert all(x0 <= x <= x1 and y0 <= y <= y1 for x, y in points)


def test_signal_box__reaches_the_radius_beyond_the_stop_lines() -> None:
    kernel = Kernel(scenario_of("intersection-uniform"), SumoConfig())
    signal = kernel.traffic_light.ids[0]
    low, high = signal_box(kernel, signal, 30.0)
    ends = [kernel.network.lanes[lane].shape[-1] for lane in kernel.traffic_light.incoming_lanes(signal)]
    assert high[0] == pytest.approx(max(x for x, _ in ends) + 30)
    assert low[0] == pytest.approx(min(x for x, _ in ends) - 30)
