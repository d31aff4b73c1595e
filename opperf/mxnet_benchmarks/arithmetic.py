"""MXNet's arithmetic."""

from opperf.core.implementation import native
from opperf.operators import arithmetic

TABLE = {
    arithmetic.Add: native("mxnet.nd.add"),
    arithmetic.Multiply: native("mxnet.nd.multiply"),
    arithmetic.Subtract: native("mxnet.nd.subtract"),
    arithmetic.Divide: native("mxnet.nd.divide"),
    arithmetic.Modulo: native("mxnet.nd.modulo"),
    arithmetic.Power: native("mxnet.nd.power"),
    arithmetic.Negative: native("mxnet.nd.negative"),
    arithmetic.IAdd: native("mxnet.nd.NDArray.__iadd__"),
    arithmetic.ISub: native("mxnet.nd.NDArray.__isub__"),
    arithmetic.IMul: native("mxnet.nd.NDArray.__imul__"),
    arithmetic.IDiv: native("mxnet.nd.NDArray.__itruediv__"),
    arithmetic.IMod: native("mxnet.nd.NDArray.__imod__"),
}
