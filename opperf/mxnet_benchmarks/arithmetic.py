"""MXNet's arithmetic."""

from opperf.core.frameworks.implementation import native
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators import arithmetic, divisors, extremes, scalars, signs, ternary, unbroadcast

OTHER, RIGHT = {"scalar": "other"}, {"scalar": "rhs"}
TABLE = {
    arithmetic.Add: native("mxnet.nd.add"),
    arithmetic.Multiply: native("mxnet.nd.multiply"),
    arithmetic.Subtract: native("mxnet.nd.subtract"),
    arithmetic.Divide: native("mxnet.nd.divide"),
    arithmetic.Modulo: native("mxnet.nd.modulo"),
    arithmetic.Power: native("mxnet.nd.power"),
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
    scalars.AddScalar: native("mxnet.nd.add", rename=RIGHT),
    scalars.ReverseSubtract: native("mxnet.nd.NDArray.__rsub__", rename=OTHER),
    scalars.MultiplyScalar: native("mxnet.nd.multiply", rename=RIGHT),
    scalars.DivideScalar: native("mxnet.nd.divide", rename=RIGHT),
    scalars.ReverseDivide: native("mxnet.nd.NDArray.__rtruediv__", rename=OTHER),
    scalars.ModuloScalar: native("mxnet.nd.modulo", rename=RIGHT),
    scalars.PowerScalar: native("mxnet.nd.power", rename={"scalar": "exp"}),
    scalars.ReversePower: native("mxnet.nd.NDArray.__rpow__", rename=OTHER),
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
