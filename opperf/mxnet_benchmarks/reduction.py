"""MXNet's reductions."""

from opperf.core.implementation import native
from opperf.operators import reduction

TABLE = {
    reduction.Sum: native("mxnet.nd.sum"),
    reduction.Mean: native("mxnet.nd.mean"),
    reduction.Prod: native("mxnet.nd.prod"),
    reduction.Norm: native("mxnet.nd.norm", ord=2),
    reduction.Max: native("mxnet.nd.max"),
    reduction.Min: native("mxnet.nd.min"),
}
