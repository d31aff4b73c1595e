"""MXNet's callables for the operators of cast, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.binding.cast import convert, copy
from opperf.operators import cast

TABLE = {
    cast.Cast: built("mxnet.nd.cast", convert),
    cast.Identity: native("mxnet.nd.identity"),
    cast.Copy: built("mxnet.nd.NDArray.copyto", copy),
    # What automatic mixed precision inserts into a graph.
    cast.AmpCast: built("mxnet.nd.amp_cast", convert),
}
