"""MXNet's logic."""

from opperf.core.implementation import native
from opperf.operators import logical

TABLE = {
    logical.LogicalAnd: native("mxnet.nd.logical_and"),
    logical.LogicalOr: native("mxnet.nd.logical_or"),
    logical.LogicalXor: native("mxnet.nd.logical_xor"),
    logical.LogicalNot: native("mxnet.nd.logical_not"),
}
