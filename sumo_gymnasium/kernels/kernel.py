"""The kernel: the four kernels of one simulation, started, stepped and closed together."""

from collections.abc import Sequence
from dataclasses import replace
from tempfile import TemporaryDirectory

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
from sumo_gymnasium.scenarios.net import Net, read_net
from sumo_gymnasium.scenarios.programs import active_programs
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.signals.program import Program


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
        self.scenario, self.config = scenario, config
        self._backend: Backend | None = None
        self.simulation = SimulationKernel(scenario.begin, scenario.last, scenario.step_length)
        self.network = NetworkKernel(net)
        self.vehicle = VehicleKernel()
        self.traffic_light = TrafficLightKernel(net, programs, config.timing, self.simulation)
        self._parts = (self.simulation, self.network, self.vehicle, self.traffic_light)

    def start(self, options: Sequence[str]) -> None:
        """Start SUMO with these options.

        Raises:
            BackendError: SUMO does not accept its input.
        """
        check_versions()
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
        count = self.traffic_light.command(max(1, most - 1))
        self._backend.step(self.simulation.time_in(count))
        for part in self._parts:
            part.update(count)
        return count

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


def _read(scenario: Scenario, config: SumoConfig) -> tuple[Net, dict[str, Program]]:
    try:
        net = read_net(scenario.net_file)
        return net, active_programs(scenario.net_file, scenario.additional_files, scenario.begin)
    except ScenarioError as error:
        with TemporaryDirectory() as folder:
            said = diagnose(command_line(scenario, config, folder, seed=0), "nothing")
        raise ScenarioError(f"{error}; SUMO says: {said}") from error
