"""MXNet's callables for the operators of exponential, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import native
from opperf.operators import exponential

TABLE = {
    exponential.Log: native("mxnet.nd.log"),
    exponential.Log2: native("mxnet.nd.log2"),
    exponential.Log10: native("mxnet.nd.log10"),
    exponential.Log1p: native("mxnet.nd.log1p"),
    exponential.Exp: native("mxnet.nd.exp"),
    exponential.Exp2: native("mxnet.nd.NDArray.__rpow__", other=2),
    exponential.Expm1: native("mxnet.nd.expm1"),
}
