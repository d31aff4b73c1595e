"""PyTorch's special functions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.special import bessel, gamma, special

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def order_first(call: Callable[..., Any], data: Any, *, n: int) -> Step:
    """Bind; torch takes the order before the tensor."""
    return partial(call, n, data)


def gamma_function(log: Callable[..., Any], exp: Callable[..., Any], data: Any) -> Step:
    """exp(lgamma(data)), which is the gamma function of positive numbers."""
    return lambda: exp(log(data))


TABLE = {
    special.Erf: native("torch.erf"),
    special.Erfc: native("torch.erfc"),
    special.Erfcx: native("torch.special.erfcx"),
    special.ErfInv: native("torch.erfinv"),
    special.Ndtr: native("torch.special.ndtr"),
    special.Ndtri: native("torch.special.ndtri"),
    special.LogNdtr: native("torch.special.log_ndtr"),
    special.Logit: native("torch.logit"),
    special.Entr: native("torch.special.entr"),
    special.XLogY: native("torch.xlogy"),
    special.XLog1PY: native("torch.special.xlog1py"),
    gamma.LGamma: native("torch.lgamma"),
    gamma.Gamma: built("torch.lgamma + torch.exp", gamma_function),
    gamma.Digamma: native("torch.digamma"),
    gamma.Polygamma: built("torch.polygamma", order_first),
    gamma.MultivariateLGamma: native("torch.mvlgamma"),
    gamma.Zeta: native("torch.special.zeta"),
    gamma.IGamma: native("torch.special.gammainc"),
    gamma.IGammaC: native("torch.special.gammaincc"),
    bessel.BesselJ0: native("torch.special.bessel_j0"),
    bessel.BesselJ1: native("torch.special.bessel_j1"),
    bessel.BesselY0: native("torch.special.bessel_y0"),
    bessel.I0: native("torch.special.i0"),
    bessel.I0e: native("torch.special.i0e"),
    bessel.I1: native("torch.special.i1"),
    bessel.I1e: native("torch.special.i1e"),
}
