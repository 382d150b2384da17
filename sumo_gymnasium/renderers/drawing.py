"""Frames of a running simulation: RGB arrays, drawn without a display."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.renderers.background import Background
from sumo_gymnasium.renderers.foreground import Foreground
from sumo_gymnasium.renderers.view import View, network_box, signal_box, view_of

Frame = NDArray[np.uint8]  # (height, width, 3)

FINE = 2  # drawn at this many times the size and scaled down, for smooth edges
SMALLEST = 50  # pixels, of a picture's side


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """How pictures look.

    Attributes:
        size: width and height, pixels.
        radius: a picture for one signal reaches this far beyond its stop lines, m; None: shows the whole network, as a
            picture for several agents does.
    """

    size: tuple[int, int] = (600, 600)
    radius: float | None = 100.0

    def __post_init__(self) -> None:
        size = tuple(self.size) if isinstance(self.size, Sequence) else ()
        if len(size) != 2 or not all(isinstance(side, int) and side >= SMALLEST for side in size):
            raise ValueError(f"size={self.size!r}: expected (width, height) in pixels, ints of at least {SMALLEST}")
        object.__setattr__(self, "size", size)
        if self.radius is not None and not self.radius > 0:
            raise ValueError(f"radius={self.radius!r}: expected metres, more than 0, or None")

    def view(self, kernel: Kernel, agents: Sequence[str], size: tuple[int, int]) -> View:
        """What a picture of `size` pixels shows."""
        whole = view_of(*network_box(kernel), size)
        if self.radius is None or len(agents) != 1 or agents[0] not in kernel.traffic_light.ids:
            return whole
        return max(whole, view_of(*signal_box(kernel, agents[0], self.radius), size), key=lambda view: view.scale)


class Picture:
    """Draws one simulation. The network is drawn once, at the first frame, and anew by a pickled or copied picture."""

    def __init__(self, drawing: Drawing, kernel: Kernel, agents: Sequence[str]) -> None:
        self._drawing, self._kernel, self._agents = drawing, kernel, tuple(agents)
        self._canvas: _Canvas | None = None

    def frame(self) -> Frame:
        """What the simulation looks like now.

        Raises:
            DependencyNotInstalled: pygame is missing.
        """
        if self._canvas is None:
            self._canvas = _Canvas(self._drawing, self._kernel, self._agents)
        return self._canvas.frame()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_canvas": None}  # surfaces cannot be pickled


class _Canvas:
    """A fine surface to draw on, and one of the frame's size; both lie in the memory of an array."""

    def __init__(self, drawing: Drawing, kernel: Kernel, agents: Sequence[str]) -> None:
        self._pygame = import_pygame()
        width, height = drawing.size
        self._fine_pixels = np.zeros((height * FINE, width * FINE, 4), np.uint8)
        self._pixels: Frame = np.empty((height, width, 3), np.uint8)
        self._fine = self._surface(self._fine_pixels, "RGBX")
        self._scaled = self._pygame.Surface((width, height), 0, self._fine)  # pygame scales 4 bytes faster than 3
        self._result = self._surface(self._pixels, "RGB")
        view = drawing.view(kernel, agents, self._fine.get_size())
        Background(self._pygame.draw, self._fine, view, kernel).paint()
        self._background = self._fine_pixels.copy()
        self._foreground = Foreground(self._pygame, self._fine, view, kernel)

    def frame(self) -> Frame:
        """Draw what happens now."""
        np.copyto(self._fine_pixels, self._background)
        self._foreground.paint()
        self._pygame.transform.smoothscale(self._fine, self._scaled.get_size(), self._scaled)
        self._result.blit(self._scaled, (0, 0))
        return self._pixels.copy()

    def _surface(self, pixels: NDArray[np.uint8], order: str) -> Any:
        height, width, _ = pixels.shape
        return self._pygame.image.frombuffer(pixels, (width, height), order)


def import_pygame() -> Any:
    """The module pygame.

    Raises:
        DependencyNotInstalled: it is missing.
    """
    try:
        import_module("pygame.font")
        return import_module("pygame")
    except ImportError as error:
        raise DependencyNotInstalled(
            f"render_mode='rgb_array' draws with pygame, which cannot be imported ({error}); install it: "
            'pip install "sumo-gymnasium[render]"'
        ) from error


def drawing_of(render_mode: str | None, drawing: Drawing | None = None) -> Drawing | None:
    """What an env with this render mode draws by: nothing without one, else `drawing`, or the usual.

    Raises:
        ValueError: no such render mode.
    """
    if render_mode not in (None, "rgb_array"):
        raise ValueError(
            f"render_mode={render_mode!r}: expected None or 'rgb_array'. For a window there is "
            "gymnasium.make(id, render_mode='human'), and SUMO's own with gui=True"
        )
    return None if render_mode is None else drawing or Drawing()
