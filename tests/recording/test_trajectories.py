from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.recording.trajectories import UNITS, Recorder, Trajectories, read_trajectories

FEW = {"name": "ring", "length": 90, "vehicles": 3}


class Look:
    """A hook that reads by another way what a recorder writes."""

    def __init__(self) -> None:
        self.seen: list[tuple[float, dict[str, Any]]] = []

    def __call__(self, kernel: Kernel) -> None:
        columns = kernel.vehicle.columns("speed", "lane", "lane_position", "x", "acceleration", "position", "type")
        self.seen.append((kernel.simulation.time, columns))


def record(hooks: Sequence[Any], episodes: int = 1, **settings: Any) -> list[int]:
    """Drive episodes of a few steps; SUMO's seed of each."""
    env = gymnasium.make("SumoRing-v0", **{"scenario": FEW, "end": 2.0, **settings}, hooks=hooks)
    seeds = []
    for seed in range(episodes):
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(np.array([1.0], np.float32))
            over = terminated or truncated
        seeds.append(env.unwrapped.last_episode.seed)  # type: ignore[attr-defined]
    env.close()
    return seeds


def recorded(folder: Path, *hooks: Any, **settings: Any) -> Trajectories:
    record([*hooks, Recorder(folder)], **settings)
    return read_trajectories(folder / "trajectories-0.csv.gz")


def test_recorder__writes_what_the_kernel_reads_in_every_step(tmp_path: Path) -> None:
    look = Look()
    columns = recorded(tmp_path, look).columns
    assert [time for time, _ in look.seen] == pytest.approx([step / 10 for step in range(1, 21)])
    assert columns["time"] == pytest.approx(np.repeat([time for time, _ in look.seen], 3))
    for name in ("speed", "lane_position", "x", "acceleration"):
        assert columns[name] == pytest.approx(np.concatenate([seen[name] for _, seen in look.seen]), abs=1e-6)
    for name, theirs in (("lane", "lane"), ("type", "type"), ("id", "ids")):
        assert columns[name].tolist() == np.concatenate([seen[theirs] for _, seen in look.seen]).tolist()
    positions = np.concatenate([seen["position"] for _, seen in look.seen])
    assert np.column_stack([columns["position_x"], columns["position_y"]]) == pytest.approx(positions, abs=1e-6)
    assert columns["speed"].max() > 0.5


def test_recorder__writes_leaders_and_free_metres(tmp_path: Path) -> None:
    columns = recorded(tmp_path).columns
    assert columns["leader"][:3].tolist() == ["loop0_1", "loop0_2", "loop0_0"]
    assert columns["gap"][:3] == pytest.approx([90 / 3 - 5] * 3, abs=0.1)


def test_recorder__leaves_empty_what_is_absent(tmp_path: Path) -> None:
    alone = {"name": "ring", "length": 90, "vehicles": 1}
    columns = recorded(tmp_path, scenario=alone).columns
    assert set(columns["leader"].tolist()) == {""}
    assert np.isnan(columns["gap"]).all()


@pytest.mark.parametrize("host", ["inline", "worker"])
def test_recorder__is_the_same_in_every_host(host: str, tmp_path: Path) -> None:
    found = recorded(tmp_path / host, host=host)
    other = recorded(tmp_path / "auto")
    assert found.about["config"]["host"] == host
    assert {name: values.tolist() for name, values in found.columns.items()} == {
        name: values.tolist() for name, values in other.columns.items()
    }


def test_recorder__says_what_it_is_a_record_of(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, notes={"speed_mode": 31})
    (seed,) = record([recorder], decision_interval=0.5)
    about = read_trajectories(tmp_path / "trajectories-0.csv.gz").about
    assert about["seed"] == seed
    assert about["sumo"].startswith("1.")
    assert about["sumo_gymnasium"]
    assert about["scenario"] | {"name": "ring", "begin": 0, "end": 2, "step_length": 0.1} == about["scenario"]
    assert "vehicles=3" in about["scenario"]["variation"]
    assert about["config"]["decision_interval"] == 0.5
    assert about["notes"] == {"speed_mode": 31}
    assert about["units"] == dict(UNITS)
    assert about["edges"]["ring0_bottom"] == [pytest.approx(90 / 4 - 0.1), 1]
    assert len(about["edges"]) == 4


def test_recorder__knows_the_lengths_of_the_episodes_own_network(tmp_path: Path) -> None:
    about = recorded(tmp_path, scenario={**FEW, "length": [80, 81]}).about
    assert 80 / 4 - 0.11 < about["edges"]["ring0_bottom"][0] < 81 / 4 - 0.09


def test_recorder__gives_each_episode_a_file_of_its_own(tmp_path: Path) -> None:
    seeds = record([Recorder(tmp_path)], episodes=2) + record([Recorder(tmp_path)])
    names = [f"trajectories-{number}" for number in range(3)]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        name + end for name in names for end in (".csv.gz", ".json")
    )
    found = [read_trajectories(tmp_path / f"{name}.csv.gz") for name in names]
    assert [one.about["seed"] for one in found] == seeds
    assert [len(one.columns["time"]) for one in found] == [60, 60, 60]


def test_recorder__lets_several_envs_write_into_one_folder(tmp_path: Path) -> None:
    envs = [gymnasium.make("SumoRing-v0", scenario=FEW, end=2.0, hooks=[Recorder(tmp_path)]) for _ in range(3)]
    for env in envs:
        env.reset(seed=1)
    for env in envs * 2:  # a first step is made by the reset, which waits for the agent
        env.step(np.array([1.0], np.float32))
    rows = [len(read_trajectories(tmp_path / f"trajectories-{place}.csv.gz").columns["id"]) for place in range(3)]
    for env in envs:
        env.close()
    assert rows == [9, 9, 9]  # complete while the episodes go on


def test_recorder__writes_plain_text_if_asked_to(tmp_path: Path) -> None:
    record([Recorder(tmp_path, compress=False)])
    header, first = (tmp_path / "trajectories-0.csv").read_text("utf-8").splitlines()[:2]
    assert header == ",".join(UNITS)
    assert first.startswith("0.1,loop0_0,agent,ring0_bottom_0,ring0_bottom,")
    assert read_trajectories(tmp_path / "trajectories-0.csv").columns["time"].shape == (60,)


def test_recorder__adds_columns(tmp_path: Path) -> None:
    record([Recorder(tmp_path, also=("distance", "VAR_TAU", "requested", "VAR_VEHICLECLASS"))])
    found = read_trajectories(tmp_path / "trajectories-0.csv.gz")
    assert found.about["units"]["distance"] == "m"
    assert found.columns["distance"][-1] > found.columns["distance"][0]
    assert set(found.columns["VAR_TAU"].tolist()) == {1.0}
    assert set(found.columns["VAR_VEHICLECLASS"].tolist()) == {"passenger"}
    told = (found.columns["type"] == "agent") & (found.columns["time"] > 0.15)  # after the step that the reset makes
    assert (~np.isnan(found.columns["requested"])).tolist() == told.tolist()


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"also": ("fule",)}, ValueError, "did you mean 'fuel'"),
        ({"also": "fuel"}, TypeError, r"expected a sequence"),
        ({"notes": {"a": object()}}, ValueError, "expected what JSON can hold"),
    ],
)
def test_recorder__refuses_what_cannot_be_written(
    wrong: dict[str, Any], error: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=message):
        Recorder(tmp_path, **wrong)


def test_recorder__refuses_a_file_as_its_folder(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(ValueError, match=r"is a file; expected a folder"):
        Recorder(tmp_path / "a")


def test_where__keeps_some_rows(tmp_path: Path) -> None:
    found = recorded(tmp_path)
    some = found.where(found.columns["id"] == "loop0_1")
    assert set(some.columns["id"].tolist()) == {"loop0_1"}
    assert {len(values) for values in some.columns.values()} == {20}
    assert some.about is found.about


def test_read_trajectories__refuses_other_files(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"expected a file \.csv or \.csv\.gz"):
        read_trajectories(tmp_path / "a.npz")
    (tmp_path / "a.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"begins with \['a', 'b'\]; expected the columns time, id"):
        read_trajectories(tmp_path / "a.csv")
