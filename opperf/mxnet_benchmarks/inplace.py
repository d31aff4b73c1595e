"""MXNet's operators, told to store their results in their inputs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.activation import inplace_activation
from opperf.operators.arithmetic import inplace

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def stored(call: Callable[..., Any], data: Any) -> Step:
    """Bind the input as the output as well."""
    return partial(call, data, out=data)


OTHER = {"scalar": "other"}
TABLE = {
    inplace.INegative: built("mxnet.nd.negative", stored),
    inplace.IAbs: built("mxnet.nd.abs", stored),
    inplace.ISqrt: built("mxnet.nd.sqrt", stored),
    inplace.IAddScalar: native("mxnet.nd.NDArray.__iadd__", rename=OTHER),
    inplace.IMultiplyScalar: native("mxnet.nd.NDArray.__imul__", rename=OTHER),
    inplace_activation.IRelu: built("mxnet.nd.relu", stored),
    inplace_activation.ISigmoid: built("mxnet.nd.sigmoid", stored),
    inplace_activation.ITanh: built("mxnet.nd.tanh", stored),
}
