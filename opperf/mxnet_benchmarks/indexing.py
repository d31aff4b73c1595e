"""MXNet's indexing."""

from opperf.core.implementation import native
from opperf.operators import indexing

TABLE = {
    indexing.Take: native("mxnet.nd.take"),
    indexing.GatherND: native("mxnet.nd.gather_nd"),
    indexing.ScatterND: native("mxnet.nd.scatter_nd"),
}
