"""MXNet's arithmetic."""

from opperf.core.framework import native
from opperf.operators import arithmetic

TABLE = {
    arithmetic.Add: native("mxnet.nd.add"),
    arithmetic.IMul: native("mxnet.nd.NDArray.__imul__"),
}
