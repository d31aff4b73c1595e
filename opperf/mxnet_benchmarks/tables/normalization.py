"""MXNet's callables for the operators of normalization, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import Limitation, SizeThreshold, rounded_sums
from opperf.mxnet_benchmarks.binding.normalization import (
    batch_norm,
    group_norm,
    inference_batch_norm,
    weight_norm,
)
from opperf.mxnet_benchmarks.limits import group_size, row_length
from opperf.operators.normalization import (
    batch_norm_relu,
    batch_norm_variants,
    normalization,
    response,
    scaling,
    standardization,
)

LONG_ROWS = rounded_sums("float16", SizeThreshold(2048, "elements a row", row_length))

TABLE = {
    # BatchNormReLU: one operator, which no other framework has.
    batch_norm_relu.BatchNormReLU: built("mxnet.nd.contrib.BatchNormWithReLU", batch_norm),
    batch_norm_variants.BatchNormFrozen: built("mxnet.nd.BatchNorm", inference_batch_norm),
    normalization.BatchNorm: built("mxnet.nd.BatchNorm", batch_norm),
    response.LocalResponseNorm: native("mxnet.nd.LRN").limited(
        Limitation(
            dtypes=("float64", "float16"),
            words="data type do not match specified type",
            note="its workspace is of float32 whatever the data is",
        ),
    ),
    scaling.L2Normalization: native("mxnet.nd.L2Normalization", mode="instance").limited(
        LONG_ROWS,
    ),
    scaling.WeightNorm: built(
        "mxnet.nd.L2Normalization + mxnet.nd.broadcast_mul", weight_norm
    ).limited(
        LONG_ROWS,
    ),
    standardization.LayerNorm: native("mxnet.nd.LayerNorm"),
    standardization.InstanceNorm: native("mxnet.nd.InstanceNorm").limited(
        Limitation(dtypes=("float64",), words="Unsupported data type"),
    ),
    standardization.GroupNorm: built(
        "mxnet.nd.GroupNorm + mxnet.nd.broadcast_mul + mxnet.nd.broadcast_add", group_norm
    ).limited(
        Limitation(
            dtypes=("float16",),
            words="output 0 is",
            note="its sums of squares overflow float16",
            beyond=SizeThreshold(64000, "elements a group", group_size),
        ),
    ),
}
