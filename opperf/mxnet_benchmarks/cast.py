"""MXNet's casts."""

from opperf.core.framework import native
from opperf.operators import cast

TABLE = {
    cast.Cast: native("mxnet.nd.cast", rename={"to": "dtype"}),
}
