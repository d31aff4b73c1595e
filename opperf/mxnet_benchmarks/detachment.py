"""MXNet's end of a graph."""

from opperf.core.frameworks.implementation import native
from opperf.operators.shape import detachment

TABLE = {
    detachment.StopGradient: native("mxnet.nd.stop_gradient"),
}
