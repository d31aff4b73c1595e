"""MXNet's callable for every operator, category by category."""

from opperf.mxnet_benchmarks import (
    arithmetic,
    convolution,
    exponential,
    fused,
    gemm,
    normalization,
    optimizer,
    random,
    recurrent,
    reduction,
    softmax,
    sorting,
)

CATEGORIES = (
    arithmetic,
    convolution,
    exponential,
    fused,
    gemm,
    normalization,
    optimizer,
    random,
    recurrent,
    reduction,
    softmax,
    sorting,
)
TABLE = {operator: entry for category in CATEGORIES for operator, entry in category.TABLE.items()}
