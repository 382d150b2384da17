"""Variations that act together."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sumo_gymnasium.scenarios.scenario import Scenario, Variation


@dataclass(frozen=True)
class Together:
    """One variation after the other, each with chance of its own: fixing what one draws leaves the others as they are.

    Attributes:
        variations: in this order.
    """

    variations: tuple[Variation, ...]

    @property
    def options(self) -> tuple[str, ...]:
        """Those of all of them."""
        return tuple(dict.fromkeys(option for variation in self.variations for option in variation.options))

    def __call__(
        self, scenario: Scenario, random: np.random.Generator, folder: str, options: Mapping[str, Any], /
    ) -> Scenario:
        """See `Variation`."""
        for variation, own in zip(self.variations, random.spawn(len(self.variations)), strict=True):
            known = {name: options[name] for name in variation.options if name in options}
            scenario = variation(scenario, own, folder, known)
        return scenario
