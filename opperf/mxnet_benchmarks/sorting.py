"""MXNet's sorting and searching."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.errors import UnsupportedError
from opperf.core.framework import built, native
from opperf.operators import sorting

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def search(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Bind the array to the NumPy interface, whose positions are int64, not of the data's dtype.

    They are computed in the data's dtype all the same, and wrong where it cannot hold them.
    """
    kind, length = np.dtype(data.dtype), data.shape[axis]
    limit = 2 ** (np.finfo(kind).nmant + 1) if kind.kind == "f" else np.iinfo(kind).max + 1
    if length > limit:
        raise UnsupportedError(f"mxnet finds positions in {kind}, which holds those below {limit}")
    return partial(call, data.as_np_ndarray(), axis=axis)


TABLE = {
    sorting.TopK: native("mxnet.nd.topk", axis=-1, ret_typ="both", dtype="int64"),
    sorting.Sort: native("mxnet.nd.sort"),
    sorting.ArgSort: native("mxnet.nd.argsort", dtype="int64"),
    sorting.ArgMax: built("mxnet.np.argmax", search),
    sorting.ArgMin: built("mxnet.np.argmin", search),
}
