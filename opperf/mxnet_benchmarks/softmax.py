"""MXNet's softmax family."""

from opperf.core.implementation import native
from opperf.operators import softmax

TABLE = {
    softmax.Softmax: native("mxnet.nd.softmax"),
    softmax.LogSoftmax: native("mxnet.nd.log_softmax"),
}
