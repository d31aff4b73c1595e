"""MXNet's creation of tensors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built, native
from opperf.mxnet_benchmarks.cast import element_type
from opperf.operators import creation

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def create(call: Callable[..., Any], *, dtype: str, device: str, **attributes: Any) -> Step:
    """Bind the attributes, which MXNet takes in the same order; the device is its current one."""
    del device
    return partial(call, *attributes.values(), dtype=element_type(dtype))


TABLE = {
    creation.Zeros: built("mxnet.nd.zeros", create),
    creation.Ones: built("mxnet.nd.ones", create),
    creation.ZerosLike: native("mxnet.nd.zeros_like"),
    creation.OnesLike: native("mxnet.nd.ones_like"),
    creation.Full: built("mxnet.nd.full", create),
    creation.Arange: built("mxnet.nd.arange", create),
}
