"""MXNet's callables for the operators of comparison, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import native
from opperf.operators.comparison import comparison, thresholds

RIGHT = {"scalar": "rhs"}

TABLE = {
    comparison.Lesser: native("mxnet.nd.lesser"),
    comparison.LesserEqual: native("mxnet.nd.lesser_equal"),
    comparison.Greater: native("mxnet.nd.greater"),
    comparison.GreaterEqual: native("mxnet.nd.greater_equal"),
    comparison.Equal: native("mxnet.nd.equal"),
    comparison.NotEqual: native("mxnet.nd.not_equal"),
    comparison.AllClose: native("mxnet.nd.contrib.allclose"),
    thresholds.LesserScalar: native("mxnet.nd.lesser", rename=RIGHT),
    thresholds.LesserEqualScalar: native("mxnet.nd.lesser_equal", rename=RIGHT),
    thresholds.GreaterScalar: native("mxnet.nd.greater", rename=RIGHT),
    thresholds.GreaterEqualScalar: native("mxnet.nd.greater_equal", rename=RIGHT),
    thresholds.EqualScalar: native("mxnet.nd.equal", rename=RIGHT),
    thresholds.NotEqualScalar: native("mxnet.nd.not_equal", rename=RIGHT),
}
