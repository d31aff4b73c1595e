"""MXNet's rounding and limiting."""

from opperf.core.implementation import native
from opperf.operators import rounding

TABLE = {
    rounding.Clip: native("mxnet.nd.clip"),
    rounding.Floor: native("mxnet.nd.floor"),
    rounding.Ceil: native("mxnet.nd.ceil"),
    rounding.Trunc: native("mxnet.nd.trunc"),
    rounding.Round: native("mxnet.nd.round"),
    rounding.Rint: native("mxnet.nd.rint"),
}
