"""MXNet's callables for the operators of special, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.binding.special import logit
from opperf.operators.special import gamma, special

TABLE = {
    gamma.LGamma: native("mxnet.nd.gammaln"),
    gamma.Gamma: native("mxnet.nd.gamma"),
    special.Erf: native("mxnet.nd.erf"),
    special.ErfInv: native("mxnet.nd.erfinv"),
    special.Logit: built("mxnet.nd.divide + mxnet.nd.log", logit),
}
