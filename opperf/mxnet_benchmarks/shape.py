"""MXNet's changes of shape."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UnsupportedError
from opperf.core.implementation import built, native
from opperf.mxnet_benchmarks.cast import element_type
from opperf.operators import shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def transpose(call: Callable[..., Any], data: Any, *, axes: Any) -> Step:
    """Bind; a limitation would be attempted by a test, which this would kill."""
    if data.dtype == element_type("bfloat16"):
        raise UnsupportedError("mxnet's transpose writes outside of its arrays in bfloat16")
    return partial(call, data, axes=axes)


TABLE = {
    shape.Transpose: built("mxnet.nd.transpose", transpose),
    # The method returns a view, the function mxnet.nd.reshape a copy.
    shape.Reshape: native("mxnet.nd.NDArray.reshape"),
    shape.Flatten: native("mxnet.nd.flatten"),
}
