"""MXNet's creation of tensors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.cast import element_type
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators.creation import creation, filling, ranges

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def create(call: Callable[..., Any], *, dtype: str, device: str, **attributes: Any) -> Step:
    """Bind the attributes, which MXNet takes in the same order; the device is its current one."""
    del device
    return partial(call, *attributes.values(), dtype=element_type(dtype))


def fill(call: Callable[..., Any], data: Any, *, value: float) -> Step:
    """Bind the assignment to all elements."""
    return partial(call, data, slice(None), value)


TABLE = {
    creation.Zeros: built("mxnet.nd.zeros", create),
    creation.Ones: built("mxnet.nd.ones", create),
    creation.ZerosLike: native("mxnet.nd.zeros_like"),
    creation.OnesLike: native("mxnet.nd.ones_like"),
    creation.Full: built("mxnet.nd.full", create),
    creation.Arange: built("mxnet.nd.arange", create),
    ranges.LinSpace: built("mxnet.nd.linspace", create),
    ranges.LogSpace: built("mxnet.np.logspace", create),
    ranges.Eye: built("mxnet.nd.eye", create),
    ranges.Blackman: built("mxnet.np.blackman", create),
    ranges.Hamming: built("mxnet.np.hamming", create),
    ranges.Hanning: built("mxnet.np.hanning", create),
    filling.FullLike: numpy_interface("mxnet.np.full_like", rename={"value": "fill_value"}),
    filling.Fill: built("mxnet.nd.NDArray.__setitem__", fill),
    filling.Zero: built("mxnet.nd.NDArray.__setitem__", partial(fill, value=0.0)),
    filling.MultiZero: native("mxnet.nd.reset_arrays", num_arrays=3),
}
