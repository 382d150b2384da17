"""Where the networks lie that come with this package."""

from pathlib import Path

import sumo_gymnasium


def assets() -> Path:
    """The folder of shipped scenarios: inside the package when installed from a wheel, beside it in a checkout."""
    package = Path(sumo_gymnasium.__file__).parent
    inside = package / "assets"
    return inside if inside.is_dir() else package.parent / "assets"
