"""The colours of pictures, after Okabe and Ito (2008), so that they can be told apart by the colour-blind too."""

Color = tuple[int, int, int]

GROUND: Color = (232, 234, 226)
ROAD: Color = (78, 84, 92)
FOOTWAY: Color = (186, 188, 184)
MARKING: Color = (236, 236, 232)
GLASS: Color = (30, 38, 48)
TEXT: Color = (30, 34, 40)
PLATE: Color = (250, 250, 247)

HALTING: Color = (240, 150, 20)  # a vehicle that stands
SLOW: Color = (248, 232, 190)  # a vehicle at half of FAST
MOVING: Color = (90, 186, 242)  # a vehicle that drives at FAST or more
PEDESTRIAN: Color = (204, 95, 160)
FAST = 13.9  # m/s

GREEN: Color = (0, 214, 150)
YELLOW: Color = (252, 228, 60)
RED: Color = (222, 48, 30)
OFF: Color = (150, 156, 164)

# what a signal shows, by the letter of its state
LIGHTS: dict[str, Color] = {
    "G": GREEN,
    "g": GREEN,
    "y": YELLOW,
    "Y": YELLOW,
    "u": YELLOW,
    "U": YELLOW,
    "r": RED,
    "R": RED,
    "s": RED,
    "o": OFF,
    "O": OFF,
}


def speed_color(speed: float) -> Color:
    """From HALTING over SLOW to MOVING."""
    part = 2 * min(max(speed / FAST, 0.0), 1.0)
    return _mixed(HALTING, SLOW, part) if part < 1 else _mixed(SLOW, MOVING, part - 1)


def _mixed(a: Color, b: Color, part: float) -> Color:
    return (
        round(a[0] + (b[0] - a[0]) * part),
        round(a[1] + (b[1] - a[1]) * part),
        round(a[2] + (b[2] - a[2]) * part),
    )
