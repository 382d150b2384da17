"""What the demo shows at its end: a table of the contenders, and a picture of them below the learning curve."""

from collections import defaultdict
from pathlib import Path
from statistics import mean, pstdev
from typing import Any, Literal

from evaluation import Result
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Results = dict[str, list[Result]]  # by contender, an episode each
Curve = list[tuple[int, float]]  # decisions made so far, delay of the episode that ended there (s)

LABELS = {"delay": "delay (s a vehicle)", "travel_time": "travel time (s a vehicle)", "queue": "queue (vehicles)"}
OURS, THEIRS, INK, GRID = "#1f6f8b", "#b4c0c7", "#3b4449", "#e3e8eb"
SIZE = 13, 7.5  # inches


def table(results: Results) -> str:
    """Mean ± standard deviation over the episodes, a line each contender."""
    width = max(map(len, results))
    lines = [" " * width + "".join(f"{label:>28}" for label in LABELS.values())]
    for name, episodes in results.items():
        cells = (f"{mean(values):.1f} ± {pstdev(values):.1f}" for values in zip(*episodes, strict=True))
        lines.append(f"{name:<{width}}" + "".join(f"{cell:>28}" for cell in cells))
    return "\n".join(lines)


def draw(results: Results, curve: Curve, compared: tuple[str, ...], file: Path) -> None:
    """Save the picture; the first of `results` is ours, the delays of those `compared` are lines beside the curve."""
    figure = Figure(figsize=SIZE, layout="constrained")
    halves: Any = figure.subfigures(2, 1, height_ratios=(1.1, 1))
    above, below = halves
    above.suptitle("Training: every episode has other traffic, and PPO explores", color=INK)
    below.suptitle("Afterwards: mean and standard deviation over traffic that was not trained on", color=INK)
    learning(above.subplots(), curve, {name: mean(result.delay for result in results[name]) for name in compared})
    panels = below.subplots(1, len(LABELS), sharey=True)
    for axes, (measure, label) in zip(panels, LABELS.items(), strict=True):
        contenders(axes, {name: [getattr(r, measure) for r in episodes] for name, episodes in results.items()}, label)
    panels[0].invert_yaxis()
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=150)


def learning(axes: Axes, curve: Curve, compared: dict[str, float]) -> None:
    together = defaultdict(list)
    for decisions, delay in curve:
        together[decisions / 1000].append(delay)
    means, spread = map(mean, together.values()), map(pstdev, together.values())
    axes.plot([at / 1000 for at, _ in curve], [delay for _, delay in curve], ".", color=OURS, alpha=0.4)
    axes.errorbar(
        list(together), list(means), list(spread), color=OURS, capsize=3, linewidth=2, label="PPO, 4 episodes at a time"
    )
    for (name, delay), style in zip(compared.items(), ("--", ":"), strict=True):
        axes.axhline(delay, color=INK, linestyle=style, label=f"{name}: {delay:.1f} s")
    axes.set(xlabel="decisions (thousands)", ylabel=LABELS["delay"], yscale="log", xlim=(0, None))
    axes.set_yticks([25, 50, 100, 200, 400], ["25", "50", "100", "200", "400"])
    axes.minorticks_off()
    tidy(axes, "both")
    axes.legend(frameon=False)


def contenders(axes: Axes, values: dict[str, list[float]], label: str) -> None:
    means, spread = [mean(each) for each in values.values()], [pstdev(each) for each in values.values()]
    limit = 1.8 * sorted(means)[-2]  # the last one (random) is far off: its bar is cut
    axes.barh(list(values), means, xerr=spread, color=[OURS, *[THEIRS] * (len(values) - 1)], ecolor=INK, capsize=3)
    for row, (value, error) in enumerate(zip(means, spread, strict=True)):
        at = min(value + error + 0.02 * limit, 0.82 * limit)
        axes.text(at, row, f"{value:.1f}" + " →" * (value > limit), va="center", color=INK)
    axes.set(xlim=(0, limit), xlabel=label)
    tidy(axes, "x")


def tidy(axes: Axes, grid: Literal["x", "both"]) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=grid, color=GRID)
    axes.set_axisbelow(True)
