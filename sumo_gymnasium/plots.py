"""Figures of results."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from os import PathLike
from pathlib import Path
from typing import Any

from gymnasium.error import DependencyNotInstalled

PANEL = 3.2  # inches wide
ROW = 0.35  # inches a policy
MARGIN = 1.4  # inches, for title and axis
INK, FILL, GRID, LEARNER = "#3b4449", "#b4c0c7", "#e3e8eb", "#1f6f8b"

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
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


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
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def require() -> None:
    """Make sure that figures can be drawn, before hours are spent on what they are to show.

    Raises:
        DependencyNotInstalled: matplotlib is missing.
    """
    _figure((1, 1))


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
