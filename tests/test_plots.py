import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.error import DependencyNotInstalled

from sumo_gymnasium import plots
from sumo_gymnasium.recording.trajectories import Trajectories

PANELS = {"delay, s": {"greedy": [10.0, 12.0, 300.0], "fixed": [20.0], "crashed": []}, "stops": {"greedy": [1.0, 2.0]}}


@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG"), ("a.pdf", b"%PDF"), ("a.svg", b"<?xml")])
def test_box_plot__has_the_format_of_its_name(name: str, begins: bytes, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plots.box_plot(PANELS, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_box_plot__draws_every_episode_and_names_every_policy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    drawn = []
    make = plots._figure
    monkeypatch.setattr(plots, "_figure", lambda size: drawn.append(make(size)) or drawn[-1])
    plots.box_plot({"delay, s": PANELS["delay, s"]}, tmp_path / "a.png")
    (axes,) = drawn[0].axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["greedy", "fixed", "crashed"]
    dots = [list(map(float, line.get_xdata())) for line in axes.lines if line.get_marker() == "."]
    assert dots == [[10.0, 12.0, 300.0], [20.0], []]
    assert axes.get_xlabel() == "delay, s"
    assert axes.yaxis_inverted()


@pytest.mark.parametrize("panels", [{}, {"delay": {}}, {"delay": {"a": []}}])
def test_box_plot__of_nothing_says_so(panels: plots.Panels, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nothing to draw"):
        plots.box_plot(panels, tmp_path / "a.png")


def test_box_plot__without_matplotlib_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(DependencyNotInstalled, match=r"pip install 'sumo-gymnasium\[plot\]'"):
        plots.box_plot(PANELS, tmp_path / "a.png")


def test_learning_curve__draws_both_curves_and_a_line_for_each_rival(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    drawn = []
    make = plots._figure
    monkeypatch.setattr(plots, "_figure", lambda size: drawn.append(make(size)) or drawn[-1])
    plots.learning_curve([(1000, 50.0), (2000, 30.0)], [(2000, 28.0)], {"greedy": 20.0}, "delay, s", tmp_path / "a.png")
    (axes,) = drawn[0].axes
    training, validation, greedy = axes.lines
    assert (list(training.get_xdata()), list(training.get_ydata())) == ([1, 2], [50, 30])
    assert (list(validation.get_xdata()), list(validation.get_ydata())) == ([2], [28])
    assert list(greedy.get_ydata()) == [20, 20]
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def recorded(*rows: tuple[float, str, float, float]) -> Trajectories:
    """Trajectories of rows (time, edge, lane position, speed) on the edges "a" (100 m, 2 lanes) and "b" (50 m)."""
    time, edge, place, speed = zip(*rows, strict=True) if rows else ((),) * 4
    columns = {
        "time": np.array(time, float),
        "edge": np.array(edge, np.str_),
        "x": np.array(place, float),
        "lane_position": np.array(place, float),
        "speed": np.array(speed, float),
    }
    about = {"scenario": {"begin": 0.0, "step_length": 1.0}, "edges": {"a": [100.0, 2], "b": [50.0, 1]}}
    return Trajectories(columns, about)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that are made."""
    pytest.importorskip("matplotlib")
    figures: list[Any] = []
    make = plots._figure
    monkeypatch.setattr(plots, "_figure", lambda size: figures.append(make(size)) or figures[-1])
    return figures


ROWS = ((1.0, "a", 90.0, 10.0), (2.0, ":j", 1.0, 9.0), (3.0, "b", 5.0, 8.0))


def test_time_space_diagram__draws_every_row_by_its_x(drawn: list[Any], tmp_path: Path) -> None:
    plots.time_space_diagram(recorded(*ROWS), tmp_path / "pictures" / "a.png")
    (dots,) = drawn[0].axes[0].collections
    assert np.asarray(dots.get_offsets()).tolist() == [[1, 90], [2, 1], [3, 5]]
    assert dots.get_array().tolist() == [10, 9, 8]
    assert dots.get_clim() == (0, 10)
    assert (tmp_path / "pictures" / "a.png").read_bytes().startswith(b"\x89PNG")


def test_time_space_diagram__puts_edges_one_behind_the_other(drawn: list[Any], tmp_path: Path) -> None:
    plots.time_space_diagram(recorded(*ROWS), tmp_path / "a.png", edges=("a", "b"))
    (dots,) = drawn[0].axes[0].collections
    assert np.asarray(dots.get_offsets()).tolist() == [[1, 90], [3, 105]]


def test_stream__is_edies() -> None:
    """One vehicle at 10 m/s on 100 m of two lanes for 10 s of 20: density 2.5 veh/km, flow 90 veh/h, speed 36 km/h."""
    rows = [(float(second), "a", 10.0 * second, 10.0) for second in range(1, 11)]
    found = plots.stream(recorded(*rows, (40.0, "b", 1.0, 5.0)), "a", interval=20.0)
    assert found.density == pytest.approx([2.5, 0.0])
    assert found.flow == pytest.approx([90.0, 0.0])
    assert found.speed == pytest.approx([36.0, np.nan], nan_ok=True)


def test_stream__leaves_out_an_interval_that_is_cut_short() -> None:
    rows = [(float(second), "a", 10.0, 1.0) for second in range(1, 20)]
    assert plots.stream(recorded(*rows), "a", interval=10.0).density.shape == (1,)
    assert plots.stream(recorded(*rows, (20.0, "a", 10.0, 1.0)), "a", interval=10.0).density.shape == (2,)


def test_stream__counts_a_step_where_it_was_made() -> None:
    """The step to 10 s belongs to the first ten seconds, the one to 11 s to the next."""
    rows = [(10.0, "a", 0.0, 10.0), (11.0, "a", 0.0, 20.0), (20.0, "b", 0.0, 0.0)]
    assert plots.stream(recorded(*rows), "a", interval=10.0).speed == pytest.approx([36.0, 72.0])


def test_fundamental_diagram__draws_flow_and_speed_of_each_edge(drawn: list[Any], tmp_path: Path) -> None:
    rows = [(float(second), edge, 10.0, 10.0) for second in range(1, 11) for edge in ("a", "b")]
    plots.fundamental_diagram(recorded(*rows), tmp_path / "a.png", ("a", "b"), interval=10.0)
    flows, speeds = drawn[0].axes
    assert [line.get_label() for line in flows.lines] == ["a", "b"]
    assert [float(line.get_xdata()[0]) for line in flows.lines] == pytest.approx([5.0, 20.0])
    assert [float(line.get_ydata()[0]) for line in flows.lines] == pytest.approx([180.0, 720.0])
    assert [float(line.get_ydata()[0]) for line in speeds.lines] == pytest.approx([36.0, 36.0])


def test_capacity_curve__draws_each_run_and_their_means(drawn: list[Any], tmp_path: Path) -> None:
    plots.capacity_curve({2000: [1500.0, 1600.0], 1000: [1000.0], 3000: []}, tmp_path / "a.png")
    (axes,) = drawn[0].axes
    *_, means = axes.lines
    assert (list(means.get_xdata()), list(means.get_ydata())) == ([1000, 2000], [1000, 1550])
    dots = [tuple(line.get_ydata()) for line in axes.lines if line.get_marker() == "."]
    assert dots == [(1000,), (1500, 1600)]


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda path: plots.time_space_diagram(recorded(), path), "no vehicle was recorded"),
        (lambda path: plots.time_space_diagram(recorded(*ROWS), path, ("c",)), "no edge 'c'"),
        (lambda path: plots.time_space_diagram(recorded(ROWS[0]), path, ("b",)), "no vehicle was recorded on"),
        (lambda path: plots.fundamental_diagram(recorded(*ROWS), path, ("a",), 60.0), "no vehicle was recorded for 60"),
        (
            lambda path: plots.fundamental_diagram(recorded(*ROWS), path, ("a",), 0.1),
            r"interval=0\.1: expected seconds",
        ),
        (lambda path: plots.capacity_curve({1000: []}, path), "outflows: nothing to draw"),
    ],
)
def test_diagrams__of_nothing_say_so(draw: Callable[[Path], None], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        draw(tmp_path / "a.png")
