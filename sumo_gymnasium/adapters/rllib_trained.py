"""RLlib: what was trained, read from a checkpoint, acting without Ray."""
# mypy: disable-error-code="misc,override,no-untyped-call,no-any-return,unused-ignore"

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.core import COMPONENT_LEARNER, COMPONENT_LEARNER_GROUP, COMPONENT_RL_MODULE  # type: ignore[import-not-found]
from ray.rllib.core.columns import Columns  # type: ignore[import-not-found]
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule  # type: ignore[import-not-found]

from sumo_gymnasium.evaluation.policies import due
from sumo_gymnasium.evaluation.result import EpisodeResult, Result
from sumo_gymnasium.evaluation.stages import Stage, episode_of
from sumo_gymnasium.evaluation.trial import Trial, seeds_of


@dataclass(frozen=True)
class Trained:
    """The policies of a checkpoint. They take the likeliest action.

    Connectors of your own are not part of it: what they do to observations, do before. One policy can be given to
    `evaluation.evaluate`, several to `evaluate` here.

    Attributes:
        modules: RLlib's modules, by policy.
        policy_of: agent -> policy; not asked if there is only one.
    """

    modules: Mapping[str, Any]
    policy_of: Callable[[str], str]

    @classmethod
    def load(cls, checkpoint: str | PathLike[str], policy_of: Callable[[str], str] = str) -> "Trained":
        """Of the folder that `algo.save_to_path()` or Tune wrote.

        Args:
            checkpoint: the folder.
            policy_of: agent -> policy, say RLlib's `policy_mapping_fn`.

        Raises:
            ValueError: no checkpoint of an algorithm is there.
        """
        folder = Path(checkpoint).resolve() / COMPONENT_LEARNER_GROUP / COMPONENT_LEARNER / COMPONENT_RL_MODULE
        if not folder.is_dir():
            raise ValueError(
                f"{checkpoint}: expected the folder that algo.save_to_path() returns; there is no {folder}"
            )
        modules = MultiRLModule.from_checkpoint(str(folder))
        return cls({name: modules[name] for name in modules.keys()}, policy_of)  # noqa: SIM118 - no Mapping

    def action(self, agent: str, observation: Any) -> Any:
        """What `agent` would do."""
        only = len(self.modules) == 1
        return _action(next(iter(self.modules.values())) if only else self.modules[self.policy_of(agent)], observation)

    def predict(self, observation: Any, deterministic: bool = True) -> Any:
        """The action of the only policy, as `evaluate` asks for it.

        Raises:
            ValueError: there are several policies, or a random action is asked for.
        """
        if len(self.modules) != 1 or not deterministic:
            raise ValueError(f"policies {', '.join(self.modules)}: expected one, deterministic; see action()")
        return _action(next(iter(self.modules.values())), observation)


def evaluate(trained: Trained, make: Callable[[], Any], seeds: Iterable[int], name: str) -> Result:
    """An episode a seed, in which each agent acts by its own policy.

    Args:
        trained: the policies.
        make: makes an env of ours, Gymnasium's or PettingZoo's.
        seeds: what `reset` is given.
        name: of the policies in the result.

    Raises:
        SimulationCrashed: SUMO ended in mid-episode.
    """
    trial = Trial.of(trained, make, {}, name)
    with trial.stage() as stage:
        episodes = tuple(EpisodeResult(seed=seed, kpis=_played(trained, stage, seed)) for seed in seeds_of(seeds))
        return replace(trial.described(stage), episodes=episodes)


def _played(trained: Trained, stage: Stage, seed: int) -> Mapping[str, Any]:
    moment = stage.reset(seed)
    while not moment.over:
        asked = due(moment.infos)
        moment = stage.step({agent: trained.action(agent, moment.observations[agent]) for agent in asked})
    return episode_of(stage, moment.infos).kpis


def _action(module: Any, observation: Any) -> Any:
    with torch.no_grad():
        output = module.forward_inference({Columns.OBS: _batched(observation)})
        if Columns.ACTIONS in output:
            return output[Columns.ACTIONS][0].numpy()
        distribution = module.get_inference_action_dist_cls().from_logits(output[Columns.ACTION_DIST_INPUTS])
        return _in_space(module.action_space, distribution.to_deterministic().sample()[0].numpy())


def _batched(observation: Any) -> Any:
    if isinstance(observation, Mapping):
        return {name: _batched(value) for name, value in observation.items()}
    values = torch.as_tensor(np.asarray(observation))[None]
    return values.float() if values.is_floating_point() else values


def _in_space(space: Any, action: Any) -> Any:
    """As RLlib's `normalize_actions=True` (its default) has it: a Box's policy acts from −1 to 1."""
    if not isinstance(space, spaces.Box):
        return action
    share = (np.clip(action, -1.0, 1.0) + 1.0) / 2.0
    return np.clip(space.low + share * (space.high - space.low), space.low, space.high).astype(space.dtype)
