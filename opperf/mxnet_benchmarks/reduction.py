"""MXNet's reductions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.errors import UnsupportedError
from opperf.core.implementation import built, native
from opperf.mxnet_benchmarks.sorting import whole_numbers
from opperf.operators import reduction

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def norm(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Bind, unless the sum of squares would stop growing within a row."""
    limit = whole_numbers(np.dtype(data.dtype))
    if data.shape[axis] > limit:
        raise UnsupportedError(f"mxnet adds up in data's dtype: right below {limit} squares only")
    return partial(call, data, ord=2, axis=axis)


TABLE = {
    reduction.Sum: native("mxnet.nd.sum"),
    reduction.Mean: native("mxnet.nd.mean"),
    reduction.Prod: native("mxnet.nd.prod"),
    reduction.Norm: built("mxnet.nd.norm", norm),
    reduction.Max: native("mxnet.nd.max"),
    reduction.Min: native("mxnet.nd.min"),
}
