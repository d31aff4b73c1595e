"""MXNet's arithmetic."""

from opperf.core.implementation import native
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators import arithmetic, divisors, extremes, signs, ternary, unbroadcast

TABLE = {
    arithmetic.Add: native("mxnet.nd.add"),
    arithmetic.Multiply: native("mxnet.nd.multiply"),
    arithmetic.Subtract: native("mxnet.nd.subtract"),
    arithmetic.Divide: native("mxnet.nd.divide"),
    arithmetic.Modulo: native("mxnet.nd.modulo"),
    arithmetic.Power: native("mxnet.nd.power"),
    arithmetic.ReverseSubtract: native("mxnet.nd.NDArray.__rsub__", rename={"scalar": "other"}),
    arithmetic.Ldexp: numpy_interface("mxnet.np.ldexp"),
    arithmetic.Negative: native("mxnet.nd.negative"),
    arithmetic.IAdd: native("mxnet.nd.NDArray.__iadd__"),
    arithmetic.ISub: native("mxnet.nd.NDArray.__isub__"),
    arithmetic.IMul: native("mxnet.nd.NDArray.__imul__"),
    arithmetic.IDiv: native("mxnet.nd.NDArray.__itruediv__"),
    arithmetic.IMod: native("mxnet.nd.NDArray.__imod__"),
    divisors.LCM: numpy_interface("mxnet.np.lcm"),
    extremes.Maximum: native("mxnet.nd.maximum"),
    extremes.Minimum: native("mxnet.nd.minimum"),
    signs.Abs: native("mxnet.nd.abs"),
    signs.Sign: native("mxnet.nd.sign"),
    signs.CopySign: numpy_interface("mxnet.np.copysign"),
    ternary.Quadratic: native("mxnet.nd.contrib.quadratic"),
    unbroadcast.ElementwiseAdd: native("mxnet.nd.elemwise_add"),
    unbroadcast.ElementwiseSubtract: native("mxnet.nd.elemwise_sub"),
    unbroadcast.ElementwiseMultiply: native("mxnet.nd.elemwise_mul"),
    unbroadcast.ElementwiseDivide: native("mxnet.nd.elemwise_div"),
    unbroadcast.AddN: native("mxnet.nd.add_n"),
}
