import re
from typing import Any

import numpy as np
import pytest

from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.scenarios.scenario import Scenario
from tests.conftest import STEP_LENGTH

NET = str(STEP_LENGTH / "n.net.xml")


def episode(options: Any, scale: float = 2.0) -> Scenario:
    return Scenario(net_file=NET, scale=scale).episode(np.random.default_rng(1), "", options)


@pytest.mark.parametrize(("factor", "scale"), [(0, 0.0), (1.5, 3.0), (np.float32(0.5), 1.0), (1000, 2000.0)])
def test_demand_scale__multiplies_the_scenarios(factor: float, scale: float) -> None:
    assert episode({"demand_scale": factor}).scale == scale


@pytest.mark.parametrize("factor", [-1, 1000.5, float("nan"), float("inf"), "big", None, True, [1, 2]])
def test_demand_scale__is_a_factor(factor: Any) -> None:
    with pytest.raises(ScenarioError, match=re.escape(f"demand_scale={factor!r}: expected a number, 0 to 1000")):
        episode({"demand_scale": factor})


@pytest.mark.parametrize("scale", [-1, float("nan"), "big"])
def test_scale__is_a_factor(scale: Any) -> None:
    with pytest.raises(ScenarioError, match=re.escape(f"scale={scale!r}: expected a number, 0 to")):
        episode({}, scale)


@pytest.mark.parametrize("options", [[], ["demand_scale"], "x", "", 3, None, {"demand_scale"}])
def test_options__are_a_mapping(options: Any) -> None:
    with pytest.raises(TypeError, match=re.escape(f"options={options!r}: expected a mapping, e.g. {{'demand_scale'")):
        episode(options)
