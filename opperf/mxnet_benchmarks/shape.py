"""MXNet's changes of shape."""

from opperf.core.implementation import native
from opperf.operators import shape

TABLE = {
    shape.Transpose: native("mxnet.nd.transpose"),
    # The method returns a view, the function mxnet.nd.reshape a copy.
    shape.Reshape: native("mxnet.nd.NDArray.reshape"),
    shape.Flatten: native("mxnet.nd.flatten"),
}
