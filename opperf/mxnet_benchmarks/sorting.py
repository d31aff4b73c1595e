"""MXNet's sorting and searching."""

from opperf.core.framework import native
from opperf.operators import sorting

TABLE = {
    sorting.TopK: native("mxnet.nd.topk", axis=-1, ret_typ="both", dtype="int64"),
}
