"""MXNet's callables for the operators of sorting, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import Limitation, along_axis
from opperf.mxnet_benchmarks.binding.interface import numpy_interface
from opperf.mxnet_benchmarks.binding.sorting import histogram, max_with_indices, search
from opperf.operators.sorting import counts, sorting

POSITIONS = tuple(
    Limitation(
        dtypes=(dtype,),
        words="of the scale, allowed 0)",
        note=f"it finds positions in data's dtype, and {dtype} does not hold all larger ones",
        beyond=along_axis(limit),
    )
    for dtype, limit in (("float16", 2**11), ("bfloat16", 2**8), ("int8", 2**7))
)

TABLE = {
    counts.Unique: numpy_interface("mxnet.np.unique"),
    counts.Histogram: built("mxnet.nd.histogram", histogram),
    counts.BinCount: numpy_interface("mxnet.np.bincount"),
    # Percentile: there is no gradient.
    counts.Percentile: numpy_interface("mxnet.np.percentile"),
    sorting.TopK: native("mxnet.nd.topk", axis=-1, ret_typ="both", dtype="int64"),
    sorting.Sort: native("mxnet.nd.sort"),
    sorting.ArgSort: native("mxnet.nd.argsort", dtype="int64"),
    sorting.ArgMax: built("mxnet.np.argmax", search).limited(
        *POSITIONS,
    ),
    sorting.MaxWithIndices: built("mxnet.nd.max + mxnet.np.argmax", max_with_indices).limited(
        *POSITIONS,
    ),
    sorting.ArgMin: built("mxnet.np.argmin", search).limited(
        *POSITIONS,
    ),
}
