"""RLlib: a module for PPO that obeys action masks."""
# mypy: disable-error-code="misc,override,no-untyped-call,no-any-return,unused-ignore"

from collections.abc import Mapping
from typing import Any

import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule  # type: ignore[import-not-found]
from ray.rllib.core.columns import Columns  # type: ignore[import-not-found]

OBSERVATION, MASK = "observation", "action_mask"
NEVER = -1e9  # the logit of an action that the mask forbids: its probability is 0


class MaskedPPOModule(DefaultPPOTorchRLModule):
    """RLlib's own PPO module, except that an action has probability 0 where the mask has a 0.

    What it sees is `{"observation": …, "action_mask": …}`, as from `traffic_light_v0.parallel_env(masked=True)`:
    `config.rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedPPOModule))`. In the gradient such actions have
    no part either (Huang and Ontañón 2022, "A Closer Look at Invalid Action Masking").

    Raises:
        ValueError: other spaces.
    """

    def __init__(self, *, observation_space: Any, action_space: Any, **others: Any) -> None:
        if not isinstance(observation_space, spaces.Dict) or set(observation_space) != {OBSERVATION, MASK}:
            raise ValueError(
                f"{observation_space} is no space of observations with masks; expected a Dict of {OBSERVATION!r} and "
                f"{MASK!r}: make the env with masked=True"
            )
        if not isinstance(action_space, spaces.Discrete):
            raise ValueError(f"action space {action_space}: expected Discrete, since others have no mask")
        super().__init__(observation_space=observation_space[OBSERVATION], action_space=action_space, **others)
        self.observation_space = observation_space  # the networks see its "observation" alone

    def compute_values(self, batch: Mapping[str, Any], embeddings: Any = None) -> Any:
        """What states are worth, by the value function."""
        return super().compute_values(_bare(batch), embeddings)

    def _forward(self, batch: Mapping[str, Any], **others: Any) -> dict[str, Any]:
        return _masked(super()._forward(_bare(batch), **others), batch)

    def _forward_train(self, batch: Mapping[str, Any], **others: Any) -> dict[str, Any]:
        return _masked(super()._forward_train(_bare(batch), **others), batch)


def _bare(batch: Mapping[str, Any]) -> dict[str, Any]:
    """The batch without masks."""
    return {**batch, Columns.OBS: batch[Columns.OBS][OBSERVATION]}


def _masked(output: dict[str, Any], batch: Mapping[str, Any]) -> dict[str, Any]:
    allowed = batch[Columns.OBS][MASK] > 0
    logits = output[Columns.ACTION_DIST_INPUTS]
    return {**output, Columns.ACTION_DIST_INPUTS: torch.where(allowed, logits, torch.full_like(logits, NEVER))}
