"""MXNet's optimizer updates."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.framework import built
from opperf.operators import optimizer

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def sgd_update(call: Callable[..., Any], weight: Any, grad: Any, *, lr: float) -> Step:
    """Bind, with the weight as its own output."""
    return partial(call, weight, grad, lr=lr, out=weight)


TABLE = {
    optimizer.SGDUpdate: built("mxnet.nd.sgd_update", sgd_update),
}
