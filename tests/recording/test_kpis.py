import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sumolib.xml

from sumo_gymnasium.backends.libsumo import Libsumo
from sumo_gymnasium.backends.options import STATISTICS, TRIPINFO, command_line, max_depart_delay
from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.errors import SimulationCrashed
from sumo_gymnasium.recording.kpis import Kpis, Population, read_kpis
from sumo_gymnasium.scenarios.scenario import Scenario
from sumo_gymnasium.scenarios.tools import run

DATA = Path(__file__).parents[1] / "data" / "accounts"
DUE = 205  # a0, a1, 200 of the flow, late1, late2, at-end; not after1 to after3
NET, CROWDED = DATA / "n.net.xml", DATA / "crowded.rou.xml"
STATISTIC_FILE = """<statistics><vehicles loaded="{loaded}" inserted="{inserted}" running="{running}" waiting="0"/>
<teleports total="3"/><safety collisions="2" emergencyStops="1" emergencyBraking="4"/></statistics>"""


def simulate(folder: Path, removed: tuple[str, ...] = (), end: float = 100.0, **config: Any) -> Kpis:
    """An episode of `crowded` in this process; after 20 s vehicles are removed."""
    scenario = Scenario(net_file=str(NET), route_files=(str(CROWDED),), end=end)
    options = command_line(scenario, SumoConfig(**config), str(folder), 7)
    backend = Libsumo(options)
    while backend.simulation.getTime() < end:
        backend.step()
        if backend.simulation.getTime() == 20:
            for vehicle in removed:
                backend.vehicle.remove(vehicle)
    alive = len(backend.vehicle.getLoadedIDList())
    backend.close()
    return read_kpis(folder, 0.0, end, alive=alive, max_depart_delay=max_depart_delay(options))


def mean(rows: list[Any], *names: str) -> float:
    return float(sum(Fraction(getattr(row, name)) for row in rows for name in names) / len(rows))


def row(vehicle: str, **changed: object) -> str:
    values = {
        "depart": "0.00",
        "departDelay": "0.00",
        "arrival": "-1.00",
        "duration": "900.00",
        "waitingTime": "0.00",
        "waitingCount": "0",
        "timeLoss": "0.00",
        "routeLength": "10.00",
        "vaporized": "end",
        **changed,
    }
    return f"<tripinfo id='{vehicle}' " + " ".join(f"{name}='{value}'" for name, value in values.items()) + "/>"


def accounts(folder: Path, *rows: str, loaded: int = 0, inserted: int = 0, running: int = 0) -> None:
    (folder / TRIPINFO).write_text(f"<tripinfos>{''.join(rows)}</tripinfos>")
    (folder / STATISTICS).write_text(STATISTIC_FILE.format(loaded=loaded, inserted=inserted, running=running))


def test_read_kpis__agrees_with_plain_sumo_and_sumolib(tmp_path: Path) -> None:
    plain = str(tmp_path / "plain.xml")
    options = f"--end 100 --seed 7 --time-to-teleport -1 --tripinfo-output {plain} --device.emissions.probability 1"
    written = ("--tripinfo-output.write-unfinished", "--tripinfo-output.write-undeparted")
    run("sumo", "-n", str(NET), "-r", str(CROWDED), *options.split(), *written)
    rows = list(sumolib.xml.parse(plain, "tripinfo"))
    inserted = [trip for trip in rows if trip.depart != "-1"]
    completed = [trip for trip in inserted if trip.arrival != "-1.00"]
    kpis = simulate(tmp_path, emissions=True)
    for population, group in ((kpis.completed, completed), (kpis.inserted, inserted), (kpis.due, rows)):
        assert population.vehicles == len(group)
        assert population.delay == pytest.approx(mean(group, "timeLoss", "departDelay"), rel=1e-14)
        assert population.travel_time == pytest.approx(mean(group, "duration"), rel=1e-14)
        assert population.waiting_time == pytest.approx(mean(group, "waitingTime"), rel=1e-14)
        assert population.stops == pytest.approx(mean(group, "waitingCount"), rel=1e-14)
        assert population.route_length == pytest.approx(mean(group, "routeLength"), rel=1e-14)
    co2 = sum(float(trip.emissions[0].CO2_abs) for trip in inserted) / len(inserted) / 1000
    assert kpis.inserted.co2 == pytest.approx(co2)


def test_read_kpis__counts_vehicles_due_and_none_from_after_the_end(tmp_path: Path) -> None:
    kpis = simulate(tmp_path)
    assert kpis.due.vehicles == DUE
    assert kpis.loaded > kpis.due.vehicles  # SUMO reads ahead
    assert kpis.waiting == DUE - kpis.inserted.vehicles
    assert kpis.running == kpis.inserted.vehicles - kpis.completed.vehicles
    assert kpis.dropped == 0
    assert kpis.throughput == kpis.completed.vehicles * 36


def test_read_kpis__never_inserted_are_delayed_up_to_the_end(tmp_path: Path) -> None:
    kpis = simulate(tmp_path)
    waited = kpis.due.depart_delay * DUE - kpis.inserted.depart_delay * kpis.inserted.vehicles
    flow = [1 + 59 / 200 * index for index in range(200)]
    scheduled = sorted(flow)[-(kpis.waiting - 2) :]  # the last of the flow; late2 and at-end besides
    assert waited == pytest.approx(sum(100 - depart for depart in scheduled) + 0.5, rel=1e-3)


def test_read_kpis__dropped_are_due_and_delayed(tmp_path: Path) -> None:
    kpis = simulate(tmp_path, sumo_options=("--max-depart-delay", "20"))
    assert kpis.due.vehicles == DUE
    assert kpis.dropped == DUE - kpis.inserted.vehicles - kpis.waiting > 100
    known = kpis.inserted.delay * kpis.inserted.vehicles + 0.5  # late2 waits since 99.5 s
    assert kpis.due.delay * DUE == pytest.approx(known + 20 * kpis.dropped)


def test_read_kpis__removed_is_not_completed(tmp_path: Path) -> None:
    kpis = simulate(tmp_path, removed=("a0", "f.19"))  # one on the road, one that waits to be inserted
    assert kpis.due.vehicles == DUE
    assert kpis.inserted.vehicles == kpis.completed.vehicles + kpis.running + 1
    assert kpis.dropped == 1


def test_read_kpis__ends_early(tmp_path: Path) -> None:
    kpis = simulate(tmp_path, end=30.0)
    assert (kpis.completed.vehicles, kpis.completed, kpis.throughput) == (0, Population(), 0.0)
    assert kpis.due.vehicles == 2 + 95  # of the flow, those that are scheduled from 1 to 29 s


def test_read_kpis__no_vehicles(tmp_path: Path) -> None:
    accounts(tmp_path)
    kpis = read_kpis(tmp_path, 0, 0, alive=0)
    assert kpis.completed == kpis.inserted == kpis.due == Population()
    assert (kpis.teleports, kpis.collisions, kpis.emergency_stops, kpis.emergency_braking) == (3, 2, 1, 4)


def test_read_kpis__scheduled_before_begin_is_not_due(tmp_path: Path) -> None:
    early = row("early", depart="101.00", departDelay="1.01")
    accounts(tmp_path, early, row("due", depart="101.00", departDelay="1.00"), loaded=2, inserted=2, running=2)
    assert read_kpis(tmp_path, 100, 1000, alive=2).due.vehicles == 1


@pytest.mark.parametrize(
    ("waiting", "arrival", "gridlock"),
    [("299.00", "10.00", False), ("300.00", "10.00", True), ("300.00", "601.00", False)],
)
def test_read_kpis__gridlock(tmp_path: Path, waiting: str, arrival: str, gridlock: bool) -> None:
    stuck, through = row("stuck", waitingTime=waiting), row("through", arrival=arrival, vaporized="")
    accounts(tmp_path, stuck, through, loaded=2, inserted=2, running=1)
    assert read_kpis(tmp_path, 0, 900, alive=1).gridlock is gridlock


def test_read_kpis__persons_are_passed_over(tmp_path: Path) -> None:
    accounts(tmp_path, "<personinfo id='p' depart='0.00' type='x'/>", row("v"), loaded=1, inserted=1, running=1)
    assert read_kpis(tmp_path, 0, 900, alive=1).due.vehicles == 1


@pytest.mark.parametrize("broken", ["", "<tripinfos><tripinfo id='v'"])
def test_read_kpis__incomplete_file(tmp_path: Path, broken: str) -> None:
    accounts(tmp_path)
    (tmp_path / TRIPINFO).write_text(broken)
    with pytest.raises(SimulationCrashed, match="expected the tripinfo"):
        read_kpis(tmp_path, 0, 1, alive=0)


def test_read_kpis__missing_file(tmp_path: Path) -> None:
    with pytest.raises(SimulationCrashed, match="expected the statistics"):
        read_kpis(tmp_path, 0, 1, alive=0)


def test_as_dict__finite_numbers_only(tmp_path: Path) -> None:
    def numbers(values: dict[str, Any]) -> list[Any]:
        return [n for value in values.values() for n in (numbers(value) if isinstance(value, dict) else [value])]

    plain = simulate(tmp_path).as_dict()
    assert all(math.isfinite(number) for number in numbers(plain))
    assert "co2" not in plain["due"]
    assert plain["due"]["vehicles"] == DUE


def test_as_dict__emissions_if_measured(tmp_path: Path) -> None:
    due = simulate(tmp_path, emissions=True).as_dict()["due"]
    assert 2.5 < due["co2"] / due["fuel"] < 3.5  # a kilogram of fuel burns to about 3.1 kg of CO2
