"""MXNet's normalizations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import BoundCall

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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


def weight_norm(call: Callable[..., Any], scale: Callable[..., Any], data: Any, gamma: Any) -> Step:
    """Return g * L2Normalization(v), row by row."""
    return lambda: scale(call(data, mode="instance", eps=0.0), gamma)


def group_norm(  # noqa: PLR0913 - three calls, then the operator's inputs
    call: Callable[..., Any], multiply: Callable[..., Any], add: Callable[..., Any],
    data: Any, gamma: Any, beta: Any, *, groups: int, eps: float,
) -> BoundCall:  # fmt: skip
    """group_norm -> scale and shift by channel; MXNet's own are by group.

    gamma and beta are held in the shape in which they broadcast, as a user of this composition
    would.
    """
    zeros = gamma[:groups].detach() * 0
    ones = zeros + 1
    shape = (1, -1, *[1] * (len(data.shape) - 2))
    scale, shift = (parameter.detach().reshape(shape) for parameter in (gamma, beta))
    for parameter in (scale, shift):
        parameter.attach_grad()

    def composition() -> Any:
        return add(multiply(call(data, ones, zeros, num_groups=groups, eps=eps), scale), shift)

    def unpack(gradients: Sequence[Any]) -> Sequence[Any]:
        by_data, by_scale, by_shift = gradients
        return by_data, by_scale.reshape(-1), by_shift.reshape(-1)

    return BoundCall(composition, (data, scale, shift), unpack)
