"""RLlib: what was trained, read from a checkpoint, acting without Ray."""
# mypy: disable-error-code="import-not-found,misc,no-any-return"

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.core import COMPONENT_LEARNER, COMPONENT_LEARNER_GROUP, COMPONENT_RL_MODULE
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule


@dataclass(frozen=True)
class Trained:
    """The policies of a checkpoint. They take the likeliest action.

    Connectors of your own are not part of it: what they do to observations, do before. One policy can be evaluated:
    `evaluation.evaluate(Trained.load(folder), …)`.

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
