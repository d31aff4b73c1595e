"""MXNet's normalizations that scale only."""

from opperf.core.frameworks.implementation import native
from opperf.operators import response, scaling

TABLE = {
    scaling.L2Normalization: native("mxnet.nd.L2Normalization", mode="instance"),
    response.LocalResponseNorm: native("mxnet.nd.LRN"),
}
