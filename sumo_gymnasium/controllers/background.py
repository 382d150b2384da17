"""Controllers for vehicles that are no agents: a hook that drives them in every simulation step."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sumo_gymnasium.actions import Action
from sumo_gymnasium.actions.vehicle import VEHICLE_ACTIONS
from sumo_gymnasium.controllers.vehicles import VEHICLE_CONTROLLERS
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.names import resolve


@dataclass(frozen=True)
class Background:
    """All vehicles of a type, driven by one controller: `make(..., hooks=[Background("idm_noisy", "human")])`.

    After each simulation step it says what each of them does in the next one.

    Attributes:
        controller: which, or its name.
        type: the vehicle type of those that it drives; None for all.
    """

    controller: str | Callable[[Kernel, str], Any]
    type: str | None = None
    driver: Callable[[Kernel, str], Any] = field(init=False, repr=False, compare=False)
    action: Action = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        driver = resolve("controller", VEHICLE_CONTROLLERS, self.controller)
        named = getattr(driver, "action", None)
        if named is None:
            raise ValueError(
                f"{driver!r} has no attribute 'action'; expected the name of what it chooses, or an Action"
            )
        object.__setattr__(self, "driver", driver)
        object.__setattr__(self, "action", resolve("action", VEHICLE_ACTIONS, named, needs=("apply",)))

    def __call__(self, kernel: Kernel) -> None:
        """Drive them: first all decide, then all are told."""
        vehicles = kernel.vehicle
        driven = [each for each in vehicles.ids if self.type is None or vehicles.type(each) == self.type]
        decided = [self.driver(kernel, each) for each in driven]
        for vehicle, action in zip(driven, decided, strict=True):
            self.action.apply(kernel, vehicle, action)
