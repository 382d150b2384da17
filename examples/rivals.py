"""Whom PPO has to beat, and whom it is shown beside: fixed plans, SUMO's actuated program, random phases."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from evaluation import Result, evaluate

from sumo_gymnasium import Scenario
from sumo_gymnasium.scenarios.intersection import DEMANDS, GREENS, SIGNAL, YELLOW, intersection, plan
from sumo_gymnasium.signals.webster import Plan, scaled

ACTUATED = "SUMO's actuated program"
CYCLES = (0.8, 1.0, 1.2)  # times Webster's, to see whether another were better


def fixed(demand: str, seeds: Sequence[int], **settings: Any) -> dict[str, list[Result]]:
    """The plan that Webster's formulas give for the very demand, and the same with other cycles."""
    with tempfile.TemporaryDirectory() as folder:
        plans = fixed_plans(demand, Path(folder))
        return {name: own_program(scenario, seeds, **settings) for name, scenario in plans.items()}


def others(demand: str, seeds: Sequence[int], **settings: Any) -> dict[str, list[Result]]:
    scenario, chance = f"intersection-{demand}", np.random.default_rng(0)
    return {
        ACTUATED: own_program({"name": scenario, "program": "actuated"}, seeds, **settings),
        "random phases": evaluate(lambda _: chance.integers(len(GREENS)), seeds, scenario=scenario, **settings),
    }


def own_program(scenario: Any, seeds: Sequence[int], **settings: Any) -> list[Result]:
    return evaluate(lambda _: 0, seeds, scenario=scenario, action="program", **settings)


def fixed_plans(demand: str, folder: Path) -> dict[str, Scenario]:
    webster, plans = plan(DEMANDS[demand]), {}
    for factor in CYCLES:
        timed = scaled(webster, factor)
        name = f"fixed plan, {timed.cycle:g} s cycle" + " (Webster)" * (timed == webster)
        file = write_program(timed, folder / f"{factor}.add.xml")
        plans[name] = replace(intersection(demand), additional_files=(str(file),))
    return plans


def write_program(timed: Plan, file: Path) -> Path:
    phases = "".join(
        f'<phase duration="{green:g}" state="{state}"/><phase duration="{YELLOW}" state="{state.replace("G", "y")}"/>'
        for state, green in zip(GREENS, timed.greens, strict=True)
    )
    logic = f'<tlLogic id="{SIGNAL}" type="static" programID="fixed" offset="0">{phases}</tlLogic>'
    file.write_text(f"<additional>{logic}</additional>\n", encoding="utf-8")
    return file
