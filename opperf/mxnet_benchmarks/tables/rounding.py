"""MXNet's callables for the operators of rounding, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.binding.interface import numpy_interface
from opperf.mxnet_benchmarks.binding.rounding import fraction
from opperf.operators import rounding

TABLE = {
    rounding.Clip: native("mxnet.nd.clip"),
    rounding.ClampMin: native("mxnet.nd.maximum", rename={"a_min": "rhs"}),
    rounding.ClampMax: native("mxnet.nd.minimum", rename={"a_max": "rhs"}),
    rounding.Floor: native("mxnet.nd.floor"),
    rounding.Ceil: native("mxnet.nd.ceil"),
    rounding.Trunc: native("mxnet.nd.trunc"),
    # Round: halves are rounded away from zero.
    rounding.Round: native("mxnet.nd.round"),
    rounding.Rint: native("mxnet.nd.rint"),
    rounding.RoundDecimals: numpy_interface("mxnet.np.around"),
    rounding.Frac: built("mxnet.nd.trunc + mxnet.nd.subtract", fraction),
}
