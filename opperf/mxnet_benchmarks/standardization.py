"""MXNet's normalizations within one sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.framework import built, native
from opperf.operators import standardization

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def group_norm(  # noqa: PLR0913 - three calls, then the operator's inputs
    call: Callable[..., Any], multiply: Callable[..., Any], add: Callable[..., Any],
    data: Any, gamma: Any, beta: Any, *, groups: int, eps: float,
) -> Step:  # fmt: skip
    """Compose: MXNet's own scale and shift are by group, everybody else's by channel."""
    ones, zeros = gamma[:groups] * 0 + 1, gamma[:groups] * 0
    shape = (1, -1, *[1] * (len(data.shape) - 2))

    def composition() -> Any:
        normal = call(data, ones, zeros, num_groups=groups, eps=eps)
        return add(multiply(normal, gamma.reshape(shape)), beta.reshape(shape))

    return composition


TABLE = {
    standardization.LayerNorm: native("mxnet.nd.LayerNorm"),
    standardization.InstanceNorm: native("mxnet.nd.InstanceNorm"),
    standardization.GroupNorm: built(
        "mxnet.nd.GroupNorm + mxnet.nd.broadcast_mul + mxnet.nd.broadcast_add", group_norm
    ),
}
