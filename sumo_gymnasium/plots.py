"""Figures of results."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from gymnasium.error import DependencyNotInstalled

PANEL = 3.2  # inches wide
ROW = 0.35  # inches a policy
MARGIN = 1.4  # inches, for title and axis
INK, FILL, GRID = "#3b4449", "#b4c0c7", "#e3e8eb"

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
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def require() -> None:
    """Make sure that figures can be drawn, before hours are spent on what they are to show.

    Raises:
        DependencyNotInstalled: matplotlib is missing.
    """
    _figure((1, 1))


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
