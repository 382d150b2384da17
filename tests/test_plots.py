import sys
from pathlib import Path

import pytest
from gymnasium.error import DependencyNotInstalled

from sumo_gymnasium import plots

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
