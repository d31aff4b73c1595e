"""Which of the arrays that it is given an operator of MXNet writes to, by their positions."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.mxnet_benchmarks.calling.arguments import OperatorArguments

NORMALIZATION: Mapping[str, tuple[int, tuple[int, ...]]] = MappingProxyType(
    {
        "BatchNorm": (1, (3, 4)),
        "BatchNorm_v1": (1, (3, 4)),
        "_contrib_SyncBatchNorm": (1, (3, 4)),
        "_contrib_BatchNormWithReLU": (1, (3, 4)),
        "_backward_BatchNorm": (4, (6, 7)),
        "_backward_contrib_BatchNormWithReLU": (4, (6, 7)),
    }
)
"""Where gamma is, which `fix_gamma` sets to ones, and the moving mean and variance, which training
moves towards the batch's own: neither changes the work of the next call."""
STEPS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "sgd_mom_update": (2,), "nag_mom_update": (2,), "signum_update": (2,),
        "rmsprop_update": (2,), "rmspropalex_update": (2, 3, 4), "ftml_update": (2, 3, 4),
        "adam_update": (2, 3), "_adamw_update": (2, 3), "ftrl_update": (2, 3),
        "lamb_update_phase1": (2, 3), "mp_sgd_update": (2,), "mp_sgd_mom_update": (2, 3),
        "mp_nag_mom_update": (2, 3), "_mp_adamw_update": (2, 3, 4),
        "mp_lamb_update_phase1": (2, 3),
    }
)  # fmt: skip
"""What an optimizer's step keeps for the next one; the weight itself it returns."""
OFF = ("False", "0", "false")


def states_of(operator: str, given: OperatorArguments) -> tuple[str, ...]:
    """Return the names of what normalization in training moves and may keep."""
    if operator not in NORMALIZATION or not given.training:
        return ()
    gamma, moving = NORMALIZATION[operator]
    fixed = given.attributes.get("fix_gamma", "True") not in OFF
    return named(given, (gamma, *moving) if fixed else moving)


def changed_by(operator: str, given: OperatorArguments) -> tuple[str, ...]:
    """Return the names of what an optimizer's step changes."""
    return named(given, STEPS.get(operator, ()))


def named(given: OperatorArguments, positions: tuple[int, ...]) -> tuple[str, ...]:
    """Return the names of the arrays at these positions."""
    names = [*given.arrays]
    return tuple(names[at] for at in positions if at < len(names))
