"""MXNet's arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators.arithmetic import (
    arithmetic,
    divisors,
    extremes,
    scalars,
    signs,
    ternary,
    unbroadcast,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def floor_divide(divide: Callable[..., Any], down: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """Quotient -> floor."""
    return lambda: down(divide(lhs, rhs))


def add_scaled(  # noqa: PLR0913 - three calls, then the operator's inputs
    combine: Callable[..., Any], scale: Callable[..., Any], add: Callable[..., Any],
    data: Any, lhs: Any, rhs: Any, *, value: float,
) -> Step:  # fmt: skip
    """Product or quotient of two -> times value -> sum."""
    return lambda: add(data, scale(combine(lhs, rhs), value))


def interpolate(
    subtract: Callable[..., Any], multiply: Callable[..., Any], add: Callable[..., Any],
    start: Any, end: Any, weight: Any,
) -> Step:  # fmt: skip
    """Start + weight * (end - start)."""
    return lambda: add(start, multiply(weight, subtract(end, start)))


def threshold(
    above: Callable[..., Any], choose: Callable[..., Any], full: Callable[..., Any],
    data: Any, *, limit: float, value: float,
) -> Step:  # fmt: skip
    """Comparison -> choice between the data and a tensor of the value, made beforehand."""
    values = full(data.shape, value, dtype=data.dtype)
    return lambda: choose(above(data, limit), data, values)


def masked_fill(
    choose: Callable[..., Any], full: Callable[..., Any], data: Any, mask: Any, *, value: float
) -> Step:
    """Choice between a tensor of the value, made beforehand, and the data."""
    values = full(data.shape, value, dtype=data.dtype)
    return lambda: choose(mask, values, data)


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
    divisors.FloorDivide: built("mxnet.nd.divide + mxnet.nd.floor", floor_divide),
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
    signs.SignBit: native("mxnet.nd.lesser", rhs=0),
    signs.CopySign: numpy_interface("mxnet.np.copysign"),
    ternary.AddCMul: built(
        "mxnet.nd.multiply + mxnet.nd.NDArray.__mul__ + mxnet.nd.add", add_scaled
    ),
    ternary.AddCDiv: built("mxnet.nd.divide + mxnet.nd.NDArray.__mul__ + mxnet.nd.add", add_scaled),
    ternary.Lerp: built("mxnet.nd.subtract + mxnet.nd.multiply + mxnet.nd.add", interpolate),
    ternary.Threshold: built("mxnet.nd.greater + mxnet.nd.where + mxnet.nd.full", threshold),
    ternary.MaskedFill: built("mxnet.nd.where + mxnet.nd.full", masked_fill),
    ternary.Quadratic: native("mxnet.nd.contrib.quadratic"),
    unbroadcast.ElementwiseAdd: native("mxnet.nd.elemwise_add"),
    unbroadcast.ElementwiseSubtract: native("mxnet.nd.elemwise_sub"),
    unbroadcast.ElementwiseMultiply: native("mxnet.nd.elemwise_mul"),
    unbroadcast.ElementwiseDivide: native("mxnet.nd.elemwise_div"),
    unbroadcast.AddN: native("mxnet.nd.add_n"),
}
