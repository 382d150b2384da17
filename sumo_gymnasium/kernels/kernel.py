"""The kernel: the four kernels of one simulation, started, stepped and closed together."""

from collections.abc import Sequence
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
        simulation, network, vehicle, traffic_light: the four kernels.
    """

    def __init__(self, scenario: Scenario, config: SumoConfig) -> None:
        config.check(scenario.step_length)
        net, programs = _read(scenario, config)
        self._config = config
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
        config = self._config
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

    def step(self) -> None:
        """Simulate one step of SUMO.

        Raises:
            BackendError: SUMO ended.
        """
        assert self._backend is not None, "start() comes before step()"
        self.traffic_light.command()
        self._backend.step()
        for part in self._parts:
            part.update()

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
