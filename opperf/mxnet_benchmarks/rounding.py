"""MXNet's rounding and limiting."""

from opperf.core.implementation import native
from opperf.operators import rounding

TABLE = {
    rounding.Clip: native("mxnet.nd.clip"),
}
