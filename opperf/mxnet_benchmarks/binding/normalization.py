"""MXNet's normalizations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def batch_norm(
    call: Callable[..., Any], *tensors: Any, eps: float, momentum: float, training: bool
) -> Step:
    """Batch normalization; autograd's recording scope selects training."""
    del training
    return partial(call, *tensors, eps=eps, momentum=momentum, fix_gamma=False)


def inference_batch_norm(
    call: Callable[..., Any], *tensors: Any, eps: float, momentum: float
) -> Step:
    """Batch normalization by the moving statistics, also while recording."""
    options = {"fix_gamma": False, "use_global_stats": True}
    return partial(call, *tensors, eps=eps, momentum=momentum, **options)
