"""MXNet's callables for the operators of power, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import native
from opperf.operators import power

TABLE = {
    power.Sqrt: native("mxnet.nd.sqrt"),
    power.Square: native("mxnet.nd.square"),
    power.Rsqrt: native("mxnet.nd.rsqrt"),
    power.Reciprocal: native("mxnet.nd.reciprocal"),
    power.Cbrt: native("mxnet.nd.cbrt"),
    power.Rcbrt: native("mxnet.nd.rcbrt"),
}
