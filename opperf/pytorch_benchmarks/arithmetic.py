"""PyTorch's arithmetic."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.arithmetic import (
    arithmetic,
    divisors,
    extremes,
    scalars,
    signs,
    ternary,
    unbroadcast,
)
from opperf.operators.arithmetic import layouts as arithmetic_layouts

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def masked_fill(call: Callable[..., Any], data: Any, mask: Any, *, value: float) -> Step:
    """Bind, with the mask as bool and the value in the data's kind of number."""
    kind = float if data.is_floating_point() else int
    return partial(call, data, mask.bool(), kind(value))


def quadratic(
    add: Callable[..., Any], add_product: Callable[..., Any], data: Any,
    *, a: float, b: float, c: float,
) -> Step:  # fmt: skip
    """C + b * data -> + a * data * data."""
    constant = data.new_tensor(c)
    return lambda: add_product(add(constant, data, alpha=b), data, data, value=a)


def add_three(call: Callable[..., Any], first: Any, second: Any, third: Any) -> Step:
    """Sum -> sum."""
    return lambda: call(call(first, second), third)


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
    ternary.Threshold: native("torch.nn.functional.threshold", rename={"limit": "threshold"}),
    ternary.Quadratic: built("torch.add + torch.addcmul", quadratic),
    unbroadcast.AddN: built("torch.add", add_three),
    ternary.MaskedFill: built("torch.masked_fill", masked_fill),
    arithmetic_layouts.AddTransposed: native("torch.add"),
}
