"""Figures of results."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray

from sumo_gymnasium.names import unknown
from sumo_gymnasium.recording.trajectories import Trajectories

PANEL = 3.2  # inches wide
ROW = 0.35  # inches a policy
MARGIN = 1.4  # inches, for title and axis
INK, FILL, GRID, LEARNER = "#3b4449", "#b4c0c7", "#e3e8eb", "#1f6f8b"

SPEEDS = "RdYlGn"  # red stands
DOT = 1.2  # points², of a vehicle in a step

Curve = Sequence[tuple[int, float]]
Panels = Mapping[str, Mapping[str, Sequence[float]]]


def box_plot(panels: Panels, path: str | PathLike[str]) -> None:
    """Draw for each measure a box a policy, with every episode as a dot, and save it.

    Box and line are quartiles and median, whiskers reach 1.5 times the box (Tukey 1977); the diamond is the mean, which
    gridlocks pull away from the median.

    Args:
        panels: by what is measured (the label), by policy, a number an episode; a policy without numbers gets no box.
        path: the format follows from its name.

    Raises:
        DependencyNotInstalled: matplotlib is missing.
        ValueError: there is nothing to draw.
    """
    if not any(values for policies in panels.values() for values in policies.values()):
        raise ValueError("nothing to draw: no episode ended as it should; see their errors")
    count = max(map(len, panels.values()))
    figure = _figure((PANEL * len(panels) + 1, ROW * count + MARGIN))
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for place, (label, policies) in zip(axes, panels.items(), strict=True):
        _panel(place, label, policies)
    axes[0].invert_yaxis()
    _save(figure, path)


def learning_curve(
    training: Curve, validation: Curve, others: Mapping[str, float], label: str, path: str | PathLike[str]
) -> None:
    """Draw what became of learning, and save it.

    Args:
        training: pairs of decisions made so far and what the episode that ended there came to.
        validation: the same, of episodes without exploration.
        others: what others come to, by name; lines across.
        label: what is measured.
        path: the format follows from its name.

    Raises:
        DependencyNotInstalled: matplotlib is missing.
    """
    figure = _figure((9, 4.5))
    axes = figure.subplots()
    axes.plot(*_columns(training), ".", color=FILL, label="training, exploring")
    axes.plot(*_columns(validation), "o-", color=LEARNER, label="validation")
    for (name, value), style in zip(others.items(), cycle(("--", ":", "-.", (0, (1, 3)))), strict=False):
        axes.axhline(value, color=INK, linewidth=1, linestyle=style, label=f"{name}: {value:.1f}")
    axes.set(xlabel="decisions (thousands)", ylabel=label, yscale="log", xlim=(0, None))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("{x:g}")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color=GRID)
    axes.legend(frameon=False)
    _save(figure, path)


def time_space_diagram(trajectories: Trajectories, path: str | PathLike[str], edges: Sequence[str] = ()) -> None:
    """Draw where each vehicle was in each step, in the colour of its speed, and save it.

    Args:
        trajectories: of an episode, on any network; see `recording.trajectories`.
        path: the format follows from its name.
        edges: one behind the other: only vehicles on them are drawn, by the metres from the begin of the first (what
            lies inside junctions between them is left out); none: all, by `x`, which is one scale where all have the
            same route, or drive on one loop.

    Raises:
        DependencyNotInstalled: matplotlib is missing.
        ValueError: an edge that there is not, or nothing to draw.
    """
    place = _along(trajectories, edges) if edges else trajectories.columns["x"]
    there = ~np.isnan(place)
    if not there.any():
        raise ValueError(f"nothing to draw: no vehicle was recorded{f' on {edges}' if edges else ''}")
    figure = _figure((9, 4.5))
    axes = figure.subplots()
    columns = trajectories.columns
    dots = axes.scatter(
        columns["time"][there],
        place[there],
        c=columns["speed"][there],
        s=DOT,
        linewidths=0,
        cmap=SPEEDS,
        vmin=0,
        rasterized=True,
    )
    axes.set(xlabel="time, s", ylabel="place, m")
    axes.margins(0)
    axes.spines[["top", "right"]].set_visible(False)
    figure.colorbar(dots, ax=axes, label="speed, m/s")
    _save(figure, path)


class Stream(NamedTuple):
    """Traffic on a road in several spans of time, after L. Edie (1963).

    Attributes:
        density: veh/km and lane.
        flow: veh/h and lane.
        speed: flow over density, km/h; NaN where nobody was.
    """

    density: NDArray[np.float64]
    flow: NDArray[np.float64]
    speed: NDArray[np.float64]


def stream(trajectories: Trajectories, edge: str, interval: float = 60.0) -> Stream:
    """Density and flow on `edge`, an interval (s) after the other; a last one that is cut short is left out.

    Over a road of length L with n lanes and an interval T, with t_i the time that a vehicle spends there and d_i what
    it drives there: density Σ t_i / (n L T), flow Σ d_i / (n L T). L. C. Edie, Discussion of traffic stream
    measurements and definitions, Proceedings of the Second International Symposium on the Theory of Traffic Flow
    (1963), 139–154.

    Raises:
        ValueError: an edge that there is not, or an interval shorter than a step.
    """
    length, lanes = _road(trajectories, edge)
    scenario, columns = trajectories.about["scenario"], trajectories.columns
    step_length, begin = scenario["step_length"], scenario["begin"]
    if interval < step_length:
        raise ValueError(f"interval={interval!r}: expected seconds, a simulation step ({step_length:g} s) or more")
    elapsed = columns["time"] - begin - step_length / 2  # the middle of the step
    count = int(np.floor(elapsed.max(initial=0.0) / interval + step_length / interval))
    which = np.floor(elapsed / interval).astype(int)
    rows = (columns["edge"] == edge) & (which < count)
    spent = np.bincount(which[rows], minlength=count) * step_length
    driven = np.bincount(which[rows], weights=columns["speed"][rows] * step_length, minlength=count)
    area = length * lanes * interval
    speed = np.divide(driven, spent, out=np.full(count, np.nan), where=spent > 0)
    return Stream(1000 * spent / area, 3600 * driven / area, 3.6 * speed)


def fundamental_diagram(
    trajectories: Trajectories, path: str | PathLike[str], edges: Sequence[str], interval: float = 60.0
) -> None:
    """Draw flow and speed over density, a dot an edge and interval, and save it; see `stream`.

    Args:
        trajectories: of an episode, on any network.
        path: the format follows from its name.
        edges: where is measured.
        interval: s.

    Raises:
        DependencyNotInstalled: matplotlib is missing.
        ValueError: an edge that there is not, or nothing to draw.
    """
    streams = {edge: stream(trajectories, edge, interval) for edge in edges}
    if not any(one.density.any() for one in streams.values()):
        raise ValueError(f"nothing to draw: no vehicle was recorded for {interval:g} s on {tuple(edges)}")
    figure = _figure((9, 4))
    flows, speeds = figure.subplots(1, 2)
    for edge, one in streams.items():
        flows.plot(one.density, one.flow, ".", label=edge)
        speeds.plot(one.density, one.speed, ".", label=edge)
    for axes, label in ((flows, "flow, veh/h and lane"), (speeds, "speed, km/h")):
        axes.set(xlabel="density, veh/km and lane", ylabel=label)
        _from_zero(axes)
    flows.legend(frameon=False)
    _save(figure, path)


def capacity_curve(outflows: Mapping[float, Sequence[float]], path: str | PathLike[str]) -> None:
    """Draw what comes out of a network over what is to go in, and save it.

    Args:
        outflows: by inflow, the outflow of each run, both in veh/h.
        path: the format follows from its name.

    Raises:
        DependencyNotInstalled: matplotlib is missing.
        ValueError: there is nothing to draw.
    """
    runs = {inflow: list(outflows[inflow]) for inflow in sorted(outflows) if len(outflows[inflow])}
    if not runs:
        raise ValueError("outflows: nothing to draw; expected for each inflow the outflow of one run or more, in veh/h")
    figure = _figure((6, 4.5))
    axes = figure.subplots()
    axes.plot([0, max(runs)], [0, max(runs)], "--", color=INK, linewidth=1, label="all that goes in")
    for inflow, found in runs.items():
        axes.plot([inflow] * len(found), found, ".", color=INK, alpha=0.5)
    axes.plot(
        list(runs), [sum(found) / len(found) for found in runs.values()], "-", color=LEARNER, label="mean of runs"
    )
    axes.set(xlabel="inflow, veh/h", ylabel="outflow, veh/h")
    _from_zero(axes)
    axes.legend(frameon=False)
    _save(figure, path)


def require() -> None:
    """Make sure that figures can be drawn, before hours are spent on what they are to show.

    Raises:
        DependencyNotInstalled: matplotlib is missing.
    """
    _figure((1, 1))


def _along(trajectories: Trajectories, edges: Sequence[str]) -> NDArray[np.float64]:
    """How far each row is from the begin of the first edge, m; NaN elsewhere."""
    columns, offset = trajectories.columns, 0.0
    place = np.full(len(columns["time"]), np.nan)
    for edge in edges:
        rows = columns["edge"] == edge
        place[rows] = offset + columns["lane_position"][rows]
        offset += _road(trajectories, edge)[0]
    return place


def _road(trajectories: Trajectories, edge: str) -> tuple[float, int]:
    """Its length, m, and how many lanes it has."""
    roads = trajectories.about["edges"]
    if edge not in roads:
        raise ValueError(unknown("edge", edge, roads))
    length, lanes = roads[edge]
    return float(length), int(lanes)


def _save(figure: Any, path: str | PathLike[str]) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def _from_zero(axes: Any) -> None:
    axes.set_xlim(0, 1.05 * axes.dataLim.xmax)
    axes.set_ylim(0, 1.05 * axes.dataLim.ymax)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color=GRID)
    axes.set_axisbelow(True)


def _columns(curve: Curve) -> tuple[list[float], list[float]]:
    return [decisions / 1000 for decisions, _ in curve], [value for _, value in curve]


def _figure(size: tuple[float, float]) -> Any:
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - optional
    except ImportError as error:
        raise DependencyNotInstalled("figures need matplotlib: pip install 'sumo-gymnasium[plot]'") from error
    return Figure(figsize=size, layout="constrained")


def _panel(axes: Any, label: str, policies: Mapping[str, Sequence[float]]) -> None:
    rows = range(1, len(policies) + 1)
    axes.boxplot(
        [list(values) for values in policies.values()],
        positions=rows,
        orientation="horizontal",
        showmeans=True,
        showfliers=False,
        patch_artist=True,
        boxprops={"facecolor": FILL, "edgecolor": INK},
        medianprops={"color": INK},
        meanprops={"marker": "D", "markerfacecolor": "white", "markeredgecolor": INK},
    )
    for row, values in zip(rows, policies.values(), strict=True):
        axes.plot(list(values), [row] * len(values), ".", color=INK, alpha=0.5)
    axes.set_yticks(rows, list(policies))
    axes.set_xlabel(label)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", color=GRID)
    axes.set_axisbelow(True)
