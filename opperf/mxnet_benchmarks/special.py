"""MXNet's special functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.special import gamma, special

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def logit(divide: Callable[..., Any], log: Callable[..., Any], data: Any) -> Step:
    """log(data / (1 - data))."""
    return lambda: log(divide(data, 1 - data))


TABLE = {
    special.Erf: native("mxnet.nd.erf"),
    special.ErfInv: native("mxnet.nd.erfinv"),
    special.Logit: built("mxnet.nd.divide + mxnet.nd.log", logit),
    gamma.LGamma: native("mxnet.nd.gammaln"),
    gamma.Gamma: native("mxnet.nd.gamma"),
}
