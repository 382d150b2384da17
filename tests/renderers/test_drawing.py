import os
import pickle
import subprocess
import sys
import textwrap
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import DependencyNotInstalled
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RenderCollection

from sumo_gymnasium.config import SumoConfig
from sumo_gymnasium.errors import NotRunning
from sumo_gymnasium.kernels.kernel import Kernel
from sumo_gymnasium.renderers.drawing import Drawing, Picture, drawing_of
from sumo_gymnasium.scenarios.registry import scenario_of
from tests.conftest import Make
from tests.renderers.conftest import Started


def alone(script: str, **environment: str) -> str:
    """What a script prints in a process of its own, with neither a display nor SDL's settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SDL_", "DISPLAY", "WAYLAND"))}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(env: gymnasium.Env[Any, Any], steps: int | None = None) -> list[np.ndarray]:
    """Frames of an episode, one after the reset and one after each step."""
    env.reset(seed=5)
    frames, over = [env.render()], False
    while not over and len(frames) != steps:
        _, _, _, over, _ = env.step(len(frames) % env.action_space.n)  # type: ignore[attr-defined]
        frames.append(env.render())
    return frames  # type: ignore[return-value]


@pytest.mark.parametrize("size", [600, (600,), (600, 600.0), (600, 10), "600x600"])
def test_drawing__refuses_other_sizes(size: Any) -> None:
    with pytest.raises(ValueError, match=r"expected \(width, height\)"):
        Drawing(size=size)


@pytest.mark.parametrize("radius", [0, -5.0])
def test_drawing__refuses_other_radii(radius: float) -> None:
    with pytest.raises(ValueError, match="expected metres, more than 0, or None"):
        Drawing(radius=radius)


def test_view__is_around_the_agent_if_that_is_nearer() -> None:
    kernel = Kernel(scenario_of("intersection-uniform"), SumoConfig())
    signal = kernel.traffic_light.ids[0]
    near = Drawing(radius=50).view(kernel, [signal], (600, 600))
    whole = Drawing(radius=None).view(kernel, [signal], (600, 600))
    assert 600 / near.scale == pytest.approx(2 * 50, rel=0.5)
    assert whole.scale < near.scale
    assert Drawing(radius=1e4).view(kernel, [signal], (600, 600)) == whole
    assert Drawing(radius=50).view(kernel, [signal, "another"], (600, 600)) == whole
    assert Drawing(radius=50).view(kernel, ["vehicle"], (600, 600)) == whole


@pytest.mark.parametrize("size", [(600, 600), (320, 200), (84, 84), (50, 300)])
def test_frame__has_the_size_asked_for(started: Started, size: tuple[int, int]) -> None:
    kernel = started(steps=50)
    frame = Picture(Drawing(size=size), kernel, kernel.traffic_light.ids).frame()
    assert frame.shape == (size[1], size[0], 3)
    assert frame.dtype == np.uint8
    assert len(np.unique(frame.reshape(-1, 3), axis=0)) > 5


def test_frame__is_an_array_of_its_own(started: Started) -> None:
    kernel = started()
    picture = Picture(Drawing(), kernel, ())
    first = picture.frame()
    kept = first.copy()
    first[:] = 0
    assert (picture.frame() == kept).all()


def test_frame__has_no_traces_of_earlier_ones(started: Started) -> None:
    kernel = started(steps=60)
    picture = Picture(Drawing(), kernel, kernel.traffic_light.ids)
    for _ in range(5):
        picture.frame()
        kernel.step()
    assert (picture.frame() == Picture(Drawing(), kernel, kernel.traffic_light.ids).frame()).all()


def test_picture__pickles_after_it_was_used(started: Started) -> None:
    kernel = started()
    picture = Picture(Drawing(), kernel, ())
    picture.frame()
    kernel.close()
    assert len(pickle.dumps(picture)) < len(pickle.dumps(kernel)) + 1000, "the canvas stays behind"


def test_without_pygame__only_render_fails_and_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, make: Make
) -> None:
    monkeypatch.setitem(sys.modules, "pygame.font", None)
    env = make(render_mode="rgb_array", end=10)  # as SB3's make_vec_env makes it
    env.reset(seed=1)
    env.step(0)
    with pytest.raises(DependencyNotInstalled, match=r'pip install "sumo-gymnasium\[render\]"'):
        env.render()
    assert env.step(0)[3]
    with pytest.raises(DependencyNotInstalled):
        env.render()


def test_drawing_of__refuses_other_modes() -> None:
    assert drawing_of(None) is None
    assert drawing_of("rgb_array") == Drawing()
    with pytest.raises(ValueError, match="expected None or 'rgb_array'"):
        drawing_of("human")


def test_render__is_the_same_inline_and_in_a_worker(make: Make) -> None:
    inline = run(make(render_mode="rgb_array", end=60, host="inline"))
    worker = run(make(render_mode="rgb_array", end=60, host="worker"))
    assert len(inline) == len(worker) == 13
    assert all((a == b).all() for a, b in zip(inline, worker, strict=True))
    assert all((a != b).any() for a, b in pairwise(inline))


@pytest.mark.parametrize("host", ["inline", "worker"])
def test_render__gives_the_last_frame_after_the_end(make: Make, host: str) -> None:
    ended, goes_on = make(render_mode="rgb_array", end=30, host=host), make(render_mode="rgb_array", host="worker")
    frames = run(ended)
    last = run(goes_on, len(frames))[-1]
    assert (frames[-1] == last).all()
    ended.render()[:] = 0  # type: ignore[index]
    assert (ended.render() == last).all()


@pytest.mark.parametrize("host", ["inline", "worker"])
def test_render__needs_an_episode(make: Make, host: str) -> None:
    env = make(render_mode="rgb_array", end=30, host=host)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.render()
    with pytest.raises(NotRunning, match=r"call reset\(\) first"):
        env.unwrapped.render()
    run(env)
    env.close()
    with pytest.raises(NotRunning, match=r"call reset\(\) first"):
        env.unwrapped.render()
    run(env)


def test_render__follows_its_simulation_into_a_worker(make: Make) -> None:
    env, other = make(render_mode="rgb_array", end=30), make(render_mode="rgb_array", end=30)
    frames = run(env)
    other.reset()  # takes libsumo in this process
    assert all((a == b).all() for a, b in zip(frames, run(env), strict=True))


def test_render__without_a_mode_draws_nothing(make: Make) -> None:
    env = make()
    env.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.unwrapped.render() is None


def test_render_mode__none_does_not_import_pygame() -> None:
    said = alone("""
        import sys, gymnasium, sumo_gymnasium
        env = gymnasium.make("SumoTrafficLight-v0", end=10)
        env.reset(); env.step(0); env.step(0); env.close()
        print("pygame" in sys.modules)
    """)
    assert said.split() == ["False"]


def test_rgb_array__needs_no_display() -> None:
    said = alone("""
        import os, gymnasium, sumo_gymnasium
        env = gymnasium.make("SumoTrafficLight-v0", end=10, render_mode="rgb_array")
        env.reset()
        before = dict(os.environ)
        print(env.render().shape)
        import pygame
        print(pygame.display.get_init(), before == dict(os.environ), "SDL_VIDEODRIVER" in os.environ)
        env.close()
    """)
    assert said.splitlines() == ["(600, 600, 3)", "False True False"]


def test_human_rendering__shows_frames_and_leaves_other_envs_drawing() -> None:
    said = alone(
        """
        import gymnasium, pygame, sumo_gymnasium
        from gymnasium.wrappers import HumanRendering

        def make(host):
            return gymnasium.make("SumoTrafficLight-v0", end=30, render_mode="rgb_array", host=host)

        inline = make("inline")
        inline.reset(seed=1)
        before = inline.render()
        human = HumanRendering(make("worker"))
        human.reset(seed=1)
        shown = pygame.surfarray.array3d(pygame.display.get_surface()).transpose(1, 0, 2)
        print(human.render_mode, shown.shape, (shown == before).all())
        human.step(0)
        human.close()  # calls pygame.quit()
        print((inline.render() == before).all())
        inline.close()
        """,
        SDL_VIDEODRIVER="dummy",
    )
    assert said.splitlines() == ["human (600, 600, 3) True", "True"]


def test_render_collection__collects_frames(make: Make) -> None:
    env = RenderCollection(make(render_mode="rgb_array", end=30))
    env.reset(seed=1)
    env.step(0)
    env.step(0)
    frames = env.render()
    assert len(frames) == 3
    assert all(frame.shape == (600, 600, 3) for frame in frames)


@pytest.mark.filterwarnings("error")
def test_check_env__passes_without_a_display(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    check_env(make(end=50).unwrapped)
