"""MXNet's joining and splitting."""

from opperf.core.implementation import native
from opperf.operators import join_split

TABLE = {
    join_split.Concat: native("mxnet.nd.concat", rename={"axis": "dim"}),
    join_split.Stack: native("mxnet.nd.stack"),
    join_split.Split: native("mxnet.nd.split"),
}
