"""MXNet's comparisons."""

from opperf.core.implementation import native
from opperf.operators import comparison

TABLE = {
    comparison.Lesser: native("mxnet.nd.lesser"),
    comparison.LesserEqual: native("mxnet.nd.lesser_equal"),
    comparison.Greater: native("mxnet.nd.greater"),
    comparison.GreaterEqual: native("mxnet.nd.greater_equal"),
    comparison.Equal: native("mxnet.nd.equal"),
    comparison.NotEqual: native("mxnet.nd.not_equal"),
    comparison.AllClose: native("mxnet.nd.contrib.allclose"),
}
