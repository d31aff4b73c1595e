"""PyTorch's callables for the operators of special, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import Limitation
from opperf.operators.special import bessel, gamma, special
from opperf.pytorch_benchmarks.binding.special import gamma_function, order_first

FLOAT32_SERIES = Limitation(
    dtypes=("float64",),
    words="of the scale, allowed 1e-09",
    note="beyond 3 its float64 form is only as exact as float32, 3e-7 off at 5.1",
)

TABLE = {
    bessel.BesselJ0: native("torch.special.bessel_j0").limited(
        FLOAT32_SERIES,
    ),
    bessel.BesselJ1: native("torch.special.bessel_j1").limited(
        FLOAT32_SERIES,
    ),
    bessel.BesselY0: native("torch.special.bessel_y0").limited(
        FLOAT32_SERIES,
    ),
    bessel.I0: native("torch.special.i0"),
    bessel.I0e: native("torch.special.i0e"),
    bessel.I1: native("torch.special.i1"),
    bessel.I1e: native("torch.special.i1e"),
    gamma.LGamma: native("torch.lgamma"),
    gamma.Gamma: built("torch.lgamma + torch.exp", gamma_function),
    gamma.Digamma: native("torch.digamma"),
    gamma.Polygamma: built("torch.polygamma", order_first),
    gamma.MultivariateLGamma: native("torch.mvlgamma"),
    # Zeta: differentiated by the shift only.
    gamma.Zeta: native("torch.special.zeta"),
    gamma.IGamma: native("torch.special.gammainc"),
    gamma.IGammaC: native("torch.special.gammaincc"),
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
}
