"""MXNet's sorting and searching."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.errors import UnsupportedError
from opperf.core.implementation import built, native
from opperf.operators import sorting

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def search(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Bind the array to the NumPy interface, whose positions are int64, not of the data's dtype.

    They are computed in the data's dtype all the same, and wrong where it cannot hold them.
    """
    limit = whole_numbers(np.dtype(data.dtype))
    if data.shape[axis] > limit:
        raise UnsupportedError(f"mxnet finds positions in data's dtype: right below {limit} only")
    return partial(call, data.as_np_ndarray(), axis=axis)


def whole_numbers(kind: np.dtype[Any]) -> int:
    """Return up to what a dtype holds all whole numbers; NumPy sees bfloat16 as a structure."""
    if kind.kind in "iu":
        return int(np.iinfo(kind).max) + 1
    return 2 ** (int(np.finfo(kind).nmant) + 1) if kind.kind == "f" else 2**8


TABLE = {
    sorting.TopK: native("mxnet.nd.topk", axis=-1, ret_typ="both", dtype="int64"),
    sorting.Sort: native("mxnet.nd.sort"),
    sorting.ArgSort: native("mxnet.nd.argsort", dtype="int64"),
    sorting.ArgMax: built("mxnet.np.argmax", search),
    sorting.ArgMin: built("mxnet.np.argmin", search),
}
