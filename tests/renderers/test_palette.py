from itertools import combinations

import numpy as np
import pytest

from sumo_gymnasium.renderers.palette import FAST, GREEN, HALTING, MOVING, RED, ROAD, SLOW, YELLOW, Color, speed_color

# how linear RGB looks without one kind of cones (Machado, Oliveira and Fernandes 2009, severity 1)
SIGHT = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])
CLEAR = 25.0  # CIE 1976 difference; 2.3 can just be noticed


def seen(color: Color, sight: str) -> np.ndarray:
    linear = (np.array(color) / 255) ** 2.2
    x, y, z = np.cbrt(XYZ @ np.clip(SIGHT[sight] @ linear, 0, 1) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("colors", [(GREEN, YELLOW, RED), (HALTING, MOVING, ROAD)], ids=["lights", "vehicles"])
def test_colors__can_be_told_apart_by_everybody(colors: tuple[Color, ...], sight: str) -> None:
    for a, b in combinations(colors, 2):
        assert np.linalg.norm(seen(a, sight) - seen(b, sight)) > CLEAR


def test_speed_color__goes_from_halting_to_moving() -> None:
    assert [speed_color(speed) for speed in (0.0, FAST / 2, FAST, 3 * FAST)] == [HALTING, SLOW, MOVING, MOVING]
