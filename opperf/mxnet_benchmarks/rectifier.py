"""MXNet's rectifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.activation import piecewise, rectifier

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def hard_swish(gate: Callable[..., Any], multiply: Callable[..., Any], data: Any) -> Step:
    """hard_sigmoid -> product."""
    return lambda: multiply(data, gate(data, alpha=1 / 6, beta=0.5))


def soft_shrink(
    clip: Callable[..., Any], subtract: Callable[..., Any], data: Any, *, limit: float
) -> Step:
    """Clip -> subtract."""
    return lambda: subtract(data, clip(data, -limit, limit))


def hard_shrink(
    size: Callable[..., Any], above: Callable[..., Any], multiply: Callable[..., Any],
    data: Any, *, limit: float,
) -> Step:  # fmt: skip
    """Abs -> comparison -> product."""
    return lambda: multiply(data, above(size(data), limit))


def celu(
    divide: Callable[..., Any], activate: Callable[..., Any], multiply: Callable[..., Any],
    data: Any, *, alpha: float,
) -> Step:  # fmt: skip
    """Alpha * elu(data / alpha)."""
    options = {"act_type": "elu", "slope": 1.0}
    return lambda: multiply(activate(divide(data, alpha), **options), alpha)


TABLE = {
    rectifier.Relu: native("mxnet.nd.relu"),
    rectifier.LeakyRelu: native("mxnet.nd.LeakyReLU", rename={"alpha": "slope"}, act_type="leaky"),
    rectifier.PRelu: native("mxnet.nd.LeakyReLU", act_type="prelu"),
    rectifier.Elu: native("mxnet.nd.LeakyReLU", rename={"alpha": "slope"}, act_type="elu"),
    rectifier.Selu: native("mxnet.nd.LeakyReLU", act_type="selu"),
    piecewise.HardSigmoid: native("mxnet.nd.hard_sigmoid", alpha=1 / 6, beta=0.5),
    piecewise.Relu6: native("mxnet.nd.clip", a_min=0, a_max=6),
    piecewise.HardSwish: built("mxnet.nd.hard_sigmoid + mxnet.nd.multiply", hard_swish),
    piecewise.SoftShrink: built("mxnet.nd.clip + mxnet.nd.subtract", soft_shrink),
    piecewise.HardShrink: built("mxnet.nd.abs + mxnet.nd.greater + mxnet.nd.multiply", hard_shrink),
    piecewise.Celu: built("mxnet.nd.divide + mxnet.nd.LeakyReLU + mxnet.nd.multiply", celu),
}
