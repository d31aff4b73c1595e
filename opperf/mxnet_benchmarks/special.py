"""MXNet's special functions."""

from opperf.core.frameworks.implementation import native
from opperf.operators import gamma, special

TABLE = {
    special.Erf: native("mxnet.nd.erf"),
    special.ErfInv: native("mxnet.nd.erfinv"),
    gamma.LGamma: native("mxnet.nd.gammaln"),
    gamma.Gamma: native("mxnet.nd.gamma"),
}
