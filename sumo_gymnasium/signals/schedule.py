"""When a static program shows which of its states."""

from itertools import accumulate

from sumo_gymnasium.signals.program import Program


def index_at(program: Program, time: float) -> int:
    """The index of the state that a static `program` shows in the simulation step after second `time`.

    As SUMO has it, a cycle begins at every second t with (t − offset) a multiple of the cycle.
    """
    ends = list(accumulate(round(duration * 1000) for duration in program.durations))  # SUMO counts milliseconds
    place = round((time - program.offset) * 1000) % ends[-1]
    return next(index for index, end in enumerate(ends) if place < end)
