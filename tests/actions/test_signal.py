import numpy as np

from sumo_gymnasium.actions.signal import ChoosePhase, KeepProgram
from sumo_gymnasium.testing.fakes import FakeSignal, fake_kernel

SIGNAL = FakeSignal(phases=("Gr", "rG", "gg"), phase=1, legal=(False, True, False))


def test_choose_phase__requests_what_was_chosen() -> None:
    kernel = fake_kernel(signals={"A": SIGNAL})
    ChoosePhase().apply(kernel, "A", np.int64(2))
    assert kernel.traffic_light.requested == [("A", 2)]
    assert ChoosePhase().space(kernel, "A").n == 3


def test_choose_phase__tells_the_phase_and_what_is_legal() -> None:
    info = ChoosePhase().info(fake_kernel(signals={"A": SIGNAL}), "A")
    assert info["phase"] == 1
    assert info["action_mask"].tolist() == [0, 1, 0]
    assert info["action_mask"].dtype == np.int8


def test_keep_program__requests_nothing() -> None:
    kernel = fake_kernel(signals={"A": SIGNAL})
    KeepProgram().apply(kernel, "A", 0)
    assert kernel.traffic_light.requested == []
    assert KeepProgram().space(kernel, "A").n == 1
    assert KeepProgram().info(kernel, "A")["phase"] == 1
