"""How far SUMO checks what a vehicle is told: the bit fields of TraCI's speed mode and lane change mode, by name."""

from enum import IntEnum
from typing import NamedTuple


class SpeedMode(IntEnum):
    """What limits the speed that a vehicle is told to drive.

    Bits of SUMO: 1 safe speed, 2 max acceleration, 4 max deceleration, 8 right of way at junctions, 16 hard braking
    for a red light. Bit 1 also holds it to its max acceleration and to the speed limit, which bit 2 alone does not;
    without bit 4 it brakes as hard as asked.
    """

    SAFE = 31
    """All: SUMO's default."""
    RIGHT_OF_WAY = 25
    """Safe speed, right of way and red lights; it brakes as hard as asked."""
    NO_RED = 9
    """Safe speed and right of way; it may brake as hard as asked, and does not brake hard for a late red light."""
    NO_COLLISION = 7
    """Safe speed, acceleration and deceleration; it takes the right of way from others."""
    SAFE_SPEED = 1
    """The safe speed behind the leader alone."""
    AGGRESSIVE = 0
    """Nothing: it does what it is told, and collides."""


class LaneChangeMode(IntEnum):
    """When a vehicle changes lanes by itself, and what it heeds when it is told to."""

    STRATEGIC = 1621
    """As SUMO's driver wishes, and when told, both with care for others: SUMO's default."""
    TOLD = 512
    """Only when told, and only where neither it nor those on the other lane must brake for it."""
    NO_COLLISION = 256
    """Only when told, and unless it would collide at once."""
    AGGRESSIVE = 0
    """Only when told, and then even into an occupied lane."""


class Modes(NamedTuple):
    """Both modes of a vehicle; any of SUMO's bit fields, best by name."""

    speed: int = SpeedMode.SAFE
    lane_change: int = LaneChangeMode.STRATEGIC
