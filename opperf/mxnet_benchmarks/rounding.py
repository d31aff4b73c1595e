"""MXNet's rounding and limiting."""

from opperf.core.frameworks.implementation import native
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators import rounding

TABLE = {
    rounding.Clip: native("mxnet.nd.clip"),
    rounding.ClampMin: native("mxnet.nd.maximum", rename={"a_min": "rhs"}),
    rounding.ClampMax: native("mxnet.nd.minimum", rename={"a_max": "rhs"}),
    rounding.RoundDecimals: numpy_interface("mxnet.np.around"),
    rounding.Floor: native("mxnet.nd.floor"),
    rounding.Ceil: native("mxnet.nd.ceil"),
    rounding.Trunc: native("mxnet.nd.trunc"),
    rounding.Round: native("mxnet.nd.round"),
    rounding.Rint: native("mxnet.nd.rint"),
}
