"""MXNet's callables for the operators of arithmetic, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import BACKWARD, Limitation
from opperf.mxnet_benchmarks.binding.arithmetic import (
    add_scaled,
    floor_divide,
    interpolate,
    masked_fill,
    masked_fill_in_place,
    threshold,
)
from opperf.mxnet_benchmarks.binding.inplace import in_place
from opperf.mxnet_benchmarks.binding.interface import numpy_interface
from opperf.operators.arithmetic import (
    arithmetic,
    divisors,
    extremes,
    inplace,
    scalars,
    signs,
    ternary,
    unbroadcast,
)

OTHER, RIGHT = {"scalar": "other"}, {"scalar": "rhs"}

TABLE = {
    arithmetic.Add: native("mxnet.nd.add"),
    arithmetic.Multiply: native("mxnet.nd.multiply"),
    arithmetic.Subtract: native("mxnet.nd.subtract"),
    arithmetic.Divide: native("mxnet.nd.divide"),
    arithmetic.Modulo: native("mxnet.nd.modulo").limited(
        Limitation(dtypes=("bfloat16",), directions=BACKWARD, words="gradient by lhs is"),
    ),
    arithmetic.Power: native("mxnet.nd.power"),
    arithmetic.Ldexp: numpy_interface("mxnet.np.ldexp"),
    arithmetic.Negative: native("mxnet.nd.negative"),
    arithmetic.IAdd: native("mxnet.nd.NDArray.__iadd__"),
    arithmetic.ISub: native("mxnet.nd.NDArray.__isub__"),
    arithmetic.IMul: native("mxnet.nd.NDArray.__imul__"),
    arithmetic.IDiv: native("mxnet.nd.NDArray.__itruediv__"),
    arithmetic.IMod: native("mxnet.nd.NDArray.__imod__"),
    divisors.FloorDivide: built("mxnet.nd.divide + mxnet.nd.floor", floor_divide),
    divisors.LCM: numpy_interface("mxnet.np.lcm"),
    extremes.Maximum: native("mxnet.nd.maximum"),
    extremes.Minimum: native("mxnet.nd.minimum"),
    inplace.INegative: built("mxnet.nd.negative", in_place),
    inplace.IAbs: built("mxnet.nd.abs", in_place),
    inplace.ISqrt: built("mxnet.nd.sqrt", in_place),
    inplace.IMaskedFill: built("mxnet.nd.where + mxnet.nd.full", masked_fill_in_place),
    inplace.IAddScalar: native("mxnet.nd.NDArray.__iadd__", rename=OTHER),
    inplace.IMultiplyScalar: native("mxnet.nd.NDArray.__imul__", rename=OTHER),
    scalars.AddScalar: native("mxnet.nd.add", rename=RIGHT),
    scalars.ReverseSubtract: native("mxnet.nd.NDArray.__rsub__", rename=OTHER),
    scalars.MultiplyScalar: native("mxnet.nd.multiply", rename=RIGHT),
    scalars.DivideScalar: native("mxnet.nd.divide", rename=RIGHT),
    scalars.ReverseDivide: native("mxnet.nd.NDArray.__rtruediv__", rename=OTHER),
    scalars.ModuloScalar: native("mxnet.nd.modulo", rename=RIGHT).limited(
        Limitation(
            dtypes=("bfloat16",),
            directions=BACKWARD,
            words="gradient by data is",
            note="in bfloat16 it hands back zeros",
        ),
    ),
    scalars.PowerScalar: native("mxnet.nd.power", rename={"scalar": "exp"}),
    scalars.ReversePower: native("mxnet.nd.NDArray.__rpow__", rename=OTHER),
    signs.Abs: native("mxnet.nd.abs"),
    signs.Sign: native("mxnet.nd.sign"),
    signs.SignBit: native("mxnet.nd.lesser", rhs=0),
    signs.CopySign: numpy_interface("mxnet.np.copysign"),
    ternary.AddCMul: built(
        "mxnet.nd.multiply + mxnet.nd.NDArray.__mul__ + mxnet.nd.add", add_scaled
    ),
    ternary.AddCDiv: built("mxnet.nd.divide + mxnet.nd.NDArray.__mul__ + mxnet.nd.add", add_scaled),
    ternary.Lerp: built("mxnet.nd.subtract + mxnet.nd.multiply + mxnet.nd.add", interpolate),
    ternary.Quadratic: native("mxnet.nd.contrib.quadratic"),
    ternary.Threshold: built("mxnet.nd.greater + mxnet.nd.where + mxnet.nd.full", threshold),
    ternary.MaskedFill: built("mxnet.nd.where + mxnet.nd.full", masked_fill),
    # Calls of their own beside those that broadcast. There is no AddTransposed: on the
    # CPU an array is always stored row by row.
    unbroadcast.ElementwiseAdd: native("mxnet.nd.elemwise_add"),
    unbroadcast.ElementwiseSubtract: native("mxnet.nd.elemwise_sub"),
    unbroadcast.ElementwiseMultiply: native("mxnet.nd.elemwise_mul"),
    unbroadcast.ElementwiseDivide: native("mxnet.nd.elemwise_div"),
    unbroadcast.AddN: native("mxnet.nd.add_n"),
}
