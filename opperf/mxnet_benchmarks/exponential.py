"""MXNet's exponentials and logarithms."""

from opperf.core.implementation import native
from opperf.operators import exponential

TABLE = {
    exponential.Log: native("mxnet.nd.log"),
    exponential.Exp: native("mxnet.nd.exp"),
    exponential.Expm1: native("mxnet.nd.expm1"),
}
