"""PyTorch's callables for the operators of arithmetic, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import Absent, built, native
from opperf.operators.arithmetic import (
    arithmetic,
    divisors,
    extremes,
    inplace,
    layouts,
    scalars,
    signs,
    ternary,
    unbroadcast,
)
from opperf.pytorch_benchmarks.binding.arithmetic import add_three, masked_fill, quadratic

OTHER = {"scalar": "other"}

TABLE = {
    arithmetic.Add: native("torch.add"),
    arithmetic.Multiply: native("torch.mul"),
    arithmetic.Subtract: native("torch.sub"),
    arithmetic.Divide: native("torch.div"),
    arithmetic.Modulo: native("torch.remainder"),
    arithmetic.Power: native("torch.pow"),
    arithmetic.Ldexp: native("torch.ldexp"),
    arithmetic.Negative: native("torch.neg"),
    arithmetic.IAdd: native("torch.Tensor.add_"),
    arithmetic.ISub: native("torch.Tensor.sub_"),
    arithmetic.IMul: native("torch.Tensor.mul_"),
    arithmetic.IDiv: native("torch.Tensor.div_"),
    arithmetic.IMod: native("torch.Tensor.remainder_"),
    divisors.FMod: native("torch.fmod"),
    divisors.FloorDivide: native("torch.floor_divide"),
    divisors.LCM: native("torch.lcm"),
    divisors.GCD: native("torch.gcd"),
    extremes.Maximum: native("torch.maximum"),
    extremes.Minimum: native("torch.minimum"),
    extremes.FMax: native("torch.fmax"),
    extremes.FMin: native("torch.fmin"),
    inplace.INegative: native("torch.Tensor.neg_"),
    inplace.IAbs: native("torch.Tensor.abs_"),
    inplace.ISqrt: native("torch.Tensor.sqrt_"),
    inplace.IMaskedFill: built("torch.Tensor.masked_fill_", masked_fill),
    inplace.IAddScalar: native("torch.Tensor.add_", rename=OTHER),
    inplace.IMultiplyScalar: native("torch.Tensor.mul_", rename=OTHER),
    layouts.AddTransposed: native("torch.add"),
    scalars.AddScalar: native("torch.add", rename=OTHER),
    scalars.ReverseSubtract: native("torch.rsub", rename=OTHER),
    scalars.MultiplyScalar: native("torch.mul", rename=OTHER),
    scalars.DivideScalar: native("torch.div", rename=OTHER),
    scalars.ReverseDivide: native("torch.Tensor.__rtruediv__", rename=OTHER),
    scalars.ModuloScalar: native("torch.remainder", rename=OTHER),
    scalars.PowerScalar: native("torch.pow", rename={"scalar": "exponent"}),
    scalars.ReversePower: native("torch.Tensor.__rpow__", rename=OTHER),
    signs.Abs: native("torch.abs"),
    signs.Sign: native("torch.sign"),
    signs.SignBit: native("torch.signbit"),
    signs.Frexp: native("torch.frexp"),
    signs.Heaviside: native("torch.heaviside"),
    signs.CopySign: native("torch.copysign"),
    ternary.AddCMul: native("torch.addcmul"),
    ternary.AddCDiv: native("torch.addcdiv"),
    ternary.Lerp: native("torch.lerp"),
    ternary.Quadratic: built("torch.add + torch.addcmul", quadratic),
    ternary.Threshold: native("torch.nn.functional.threshold", rename={"limit": "threshold"}),
    ternary.MaskedFill: built("torch.masked_fill", masked_fill),
    unbroadcast.ElementwiseAdd: Absent(
        "its arithmetic broadcasts: this is Add, Subtract, Multiply, Divide"
    ),
    unbroadcast.ElementwiseSubtract: Absent(
        "its arithmetic broadcasts: this is Add, Subtract, Multiply, Divide"
    ),
    unbroadcast.ElementwiseMultiply: Absent(
        "its arithmetic broadcasts: this is Add, Subtract, Multiply, Divide"
    ),
    unbroadcast.ElementwiseDivide: Absent(
        "its arithmetic broadcasts: this is Add, Subtract, Multiply, Divide"
    ),
    unbroadcast.AddN: built("torch.add", add_three),
}
