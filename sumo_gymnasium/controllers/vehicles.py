"""The controllers of vehicles, by name."""

from collections.abc import Callable
from typing import Any

from sumo_gymnasium.controllers.drivers import Coast, ConstantSpeed, Noisy, SumoDriving
from sumo_gymnasium.controllers.follower_stopper import FollowerStopper
from sumo_gymnasium.controllers.gipps import Gipps
from sumo_gymnasium.controllers.idm import Idm
from sumo_gymnasium.controllers.linear import AdaptiveCruise, Bilateral, CarFollowing
from sumo_gymnasium.controllers.mobil import Mobil
from sumo_gymnasium.controllers.ovm import BandoFollowTheLeader, LinearOptimalVelocity, OptimalVelocity
from sumo_gymnasium.controllers.pi_saturation import PiSaturation
from sumo_gymnasium.kernels.kernel import Kernel

VEHICLE_CONTROLLERS: dict[str, Callable[[Kernel, str], Any]] = {
    "idm": Idm(),
    "idm_noisy": Noisy(Idm(), sigma=0.2),
    "ovm": OptimalVelocity(),
    "linear_ovm": LinearOptimalVelocity(),
    "bando_ftl": BandoFollowTheLeader(),
    "gipps": Gipps(),
    "cfm": CarFollowing(),
    "bcm": Bilateral(),
    "lac": AdaptiveCruise(),
    "follower_stopper": FollowerStopper(),
    "pi_saturation": PiSaturation(),
    "mobil": Mobil(),
    "constant_speed": ConstantSpeed(),
    "coast": Coast(),
    "sumo": SumoDriving(),
}
