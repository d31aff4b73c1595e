"""MXNet's reductions."""

from opperf.core.framework import native
from opperf.operators import reduction

TABLE = {
    reduction.Sum: native("mxnet.nd.sum"),
}
