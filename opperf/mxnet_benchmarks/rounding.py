"""MXNet's rounding and limiting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators import rounding

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def fraction(whole: Callable[..., Any], subtract: Callable[..., Any], data: Any) -> Step:
    """Trunc -> subtract."""
    return lambda: subtract(data, whole(data))


TABLE = {
    rounding.Clip: native("mxnet.nd.clip"),
    rounding.ClampMin: native("mxnet.nd.maximum", rename={"a_min": "rhs"}),
    rounding.ClampMax: native("mxnet.nd.minimum", rename={"a_max": "rhs"}),
    rounding.RoundDecimals: numpy_interface("mxnet.np.around"),
    rounding.Floor: native("mxnet.nd.floor"),
    rounding.Ceil: native("mxnet.nd.ceil"),
    rounding.Trunc: native("mxnet.nd.trunc"),
    rounding.Round: native("mxnet.nd.round"),
    rounding.Rint: native("mxnet.nd.rint"),
    rounding.Frac: built("mxnet.nd.trunc + mxnet.nd.subtract", fraction),
}
