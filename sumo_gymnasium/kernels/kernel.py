"""The kernel: the four kernels of one simulation, started, stepped and closed together."""

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from sumo_gymnasium.backends import Backend
from sumo_gymnasium.backends.libsumo import Libsumo
from sumo_gymnasium.backends.options import command_line, diagnose
from sumo_gymnasium.backends.traci import Traci
from sumo_gymnasium.backends.versions import check_versions
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.errors import ScenarioError
from sumo_gymnasium.kernels.network import NetworkKernel
from sumo_gymnasium.kernels.simulation import SimulationKernel
from sumo_gymnasium.kernels.traffic_light import TrafficLightKernel
from sumo_gymnasium.kernels.vehicle import VehicleKernel
from sumo_gymnasium.names import unknown
from sumo_gymnasium.scenarios.net import Net, read_net
from sumo_gymnasium.scenarios.programs import all_programs
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.signals.program import Program

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class Kernel:
    """One simulation as strategies see it. Its static facts are there before SUMO runs; it pickles while SUMO does not.

    Attributes:
        scenario: what is simulated, with the config's step length if that has one.
        config: how.
        simulation, network, vehicle, traffic_light: the four kernels.
    """

    def __init__(self, scenario: Scenario, config: SumoConfig) -> None:
        if config.step_length is not None:
            scenario = replace(scenario, step_length=config.step_length)
        config.check(scenario.step_length)
        net, programs = _read(scenario, config)
        _must_be_there(config.signal_timing or (), net)
        self.scenario, self.config = scenario, config
        self._net_file = scenario.net_file
        self._backend: Backend | None = None
        self._seed = 0
        self._memory: dict[tuple[str, str], dict[str, Any]] = {}
        self.simulation = SimulationKernel(scenario.begin, scenario.last, scenario.step_length)
        self.network = NetworkKernel(net)
        self.vehicle = VehicleKernel(self.simulation, config.tracked)
        self.traffic_light = TrafficLightKernel(net, programs, config.timing_of, self.simulation)
        self._parts = (self.simulation, self.network, self.vehicle, self.traffic_light)

    def enter(self, scenario: Scenario) -> None:
        """The coming episode's variant of the scenario: its network may have other lengths and shapes."""
        if scenario.net_file != self._net_file:
            self._net_file = scenario.net_file
            self.network.load(read_net(scenario.net_file))

    def start(self, options: Sequence[str], seed: int = 0) -> None:
        """Start SUMO with these options. All chance that strategies draw follows from `seed`.

        Raises:
            BackendError: SUMO does not accept its input.
        """
        check_versions()
        self._seed = seed
        self._memory.clear()
        config = self.config
        if config.backend == "traci":
            self._backend = Traci(options, gui=config.gui, timeout=config.step_timeout)
        else:
            self._backend = Libsumo(options)
        for part in self._parts:
            part.start(self._backend)

    def check(self) -> None:
        """Make sure that SUMO is still there.

        Raises:
            BackendError: it is not, or another one answers.
        """
        if self._backend is not None:
            self._backend.check()

    def step(self, most: int = 1) -> int:
        """Simulate one step of SUMO, or up to `most` in one go as long as SUMO need not be told anything; how many.

        The last of `most` steps is always one by itself, so that events of the last step are those of one step.

        Raises:
            BackendError: SUMO ended.
        """
        assert self._backend is not None, "start() comes before step()"
        count = self.traffic_light.command(self.vehicle.command(max(1, most - 1)))
        self._backend.step(self.simulation.time_in(count))
        for part in self._parts:
            part.update(count)
        return count

    def memory(self, strategy: object, agent: str) -> dict[str, Any]:
        """What `strategy` wants to remember of `agent` until the episode ends: empty at first, kept by whoever asks."""
        return self._memory.setdefault((_name(strategy), agent), {})

    def random(self, strategy: object, agent: str) -> np.random.Generator:
        """Chance for `strategy` and `agent` in this step: the same however often it is asked for, in every process."""
        words = (zlib.crc32(text.encode()) for text in (_name(strategy), agent))
        return np.random.default_rng([self._seed, self.simulation.step, *words])

    def forget(self) -> None:
        """Let go of a simulation that belongs to the process that this one was forked from."""
        self._backend = None
        for part in self._parts:
            part.stop()

    def close(self) -> None:
        """End SUMO, if it runs; its output files are complete then."""
        backend = self._backend
        self.forget()
        if backend is not None:
            backend.close()


def _name(strategy: object) -> str:
    """A strategy's name and values, the same in every process: without memory addresses."""
    named = getattr(strategy, "__qualname__", None)
    return str(named) if named is not None else ADDRESS.sub("", repr(strategy))


def _must_be_there(signals: Iterable[str], net: Net) -> None:
    for signal in signals:
        if signal not in net.links:
            raise ScenarioError(unknown("signal_timing for the signal", signal, dict.fromkeys(net.links)))


def _read(scenario: Scenario, config: SumoConfig) -> tuple[Net, dict[str, tuple[Program, ...]]]:
    try:
        net = read_net(scenario.net_file)
        return net, all_programs(scenario.net_file, scenario.additional_files, scenario.begin)
    except ScenarioError as error:
        with TemporaryDirectory() as folder:
            said = diagnose(command_line(scenario, config, folder, seed=0), "nothing")
        raise ScenarioError(f"{error}; SUMO says: {said}") from error
