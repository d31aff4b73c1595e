"""MXNet's optimizer updates, one kernel each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built
from opperf.operators import optimizer

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def update(call: Callable[..., Any], weight: Any, *tensors: Any, **attributes: float) -> Step:
    """Bind, with the weight as its own output; states change where they are."""
    return partial(call, weight, *tensors, **attributes, out=weight)


def rmsprop_update(
    call: Callable[..., Any], *tensors: Any, rho: float, **attributes: float
) -> Step:
    """Bind likewise; MXNet calls rho gamma1."""
    return update(call, *tensors, gamma1=rho, **attributes)


TABLE = {
    optimizer.SGDUpdate: built("mxnet.nd.sgd_update", update),
    optimizer.SGDMomentumUpdate: built("mxnet.nd.sgd_mom_update", update),
    optimizer.AdamUpdate: built("mxnet.nd.adam_update", update),
    optimizer.RMSPropUpdate: built("mxnet.nd.rmsprop_update", rmsprop_update),
}
