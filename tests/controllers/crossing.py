"""A made-up crossing of four one-lane arms: north and south have phase 0, east and west phase 1."""

from dataclasses import replace
from typing import Any

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.scenarios.net import Link
from sumo_gymnasium.testing.fakes import FakeLane, FakeSignal, FakeSimulation, fake_kernel

ARMS = ("north", "south", "east", "west")
EXITS = {"north": "to_south", "south": "to_north", "east": "to_west", "west": "to_east"}
LINKS = tuple(Link(index, arm, EXITS[arm], f":{arm}", "s", False) for index, arm in enumerate(ARMS))
PEDESTRIANS = Link(4, ":walk", ":cross", "", "s", True)


def lane(vehicles: int = 0, queue: int = 0, **more: Any) -> FakeLane:
    return FakeLane(waiting=(0.0,) * vehicles, queue=queue, **more)


class Crossing:
    """Lanes and a signal "A" that a test changes between the questions."""

    def __init__(self, **vehicles: int) -> None:
        self.lanes = {name: lane() for name in (*ARMS, *EXITS.values())}
        for name, count in vehicles.items():
            self.lanes[name] = lane(count)
        self.signals = {
            "A": FakeSignal(
                phases=("GGrrr", "rrGGG"),
                green_time=10.0,
                incoming_lanes=ARMS,
                outgoing_lanes=tuple(EXITS.values()),
                links=(*LINKS, PEDESTRIANS),
            )
        }
        self.kernel: Kernel = fake_kernel(self.lanes, self.signals)

    def signal(self, **changes: Any) -> None:
        self.signals["A"] = replace(self.signals["A"], **changes)

    def time(self, seconds: float) -> None:
        self.kernel.simulation = FakeSimulation(time=seconds, step=int(seconds))  # type: ignore[assignment]
