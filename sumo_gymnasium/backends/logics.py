"""Programs that SUMO is given while it runs."""

from collections.abc import Sequence
from typing import Any

from traci import constants as tc

from sumo_gymnasium.signals.program import Program

TYPES = {"actuated": tc.TRAFFICLIGHT_TYPE_ACTUATED, "delay_based": tc.TRAFFICLIGHT_TYPE_DELAYBASED}


def install(trafficlight: Any, program: Program, bounds: Sequence[tuple[float, float]], index: int) -> None:
    """Have SUMO run `program`, of one of TYPES, at once.

    Args:
        trafficlight: the domain of a running backend.
        program: its id must not be known to SUMO, which would only overwrite times, and then step for ever.
        bounds: min and max duration of each state, s.
        index: of the state to begin with, which shows anew for its min duration at least.
    """
    phases = [
        trafficlight.Phase(duration, state, *bound, (), name)
        for duration, state, bound, name in zip(program.durations, program.states, bounds, program.names, strict=True)
    ]
    logic = trafficlight.Logic(program.program_id, TYPES[program.type], index, phases)
    trafficlight.setProgramLogic(program.signal, logic)
    trafficlight.setPhaseDuration(program.signal, bounds[index][0])  # SUMO would take the duration of its phase 0
