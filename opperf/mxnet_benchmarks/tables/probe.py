"""MXNet's callables for the operators of probe, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.binding.overhead import cond, foreach, read, while_loop
from opperf.mxnet_benchmarks.binding.probe import custom_add, layer
from opperf.operators.probe import overhead, probe

TABLE = {
    overhead.OneElementCopy: native("mxnet.nd.identity"),
    overhead.OneElementAdd: native("mxnet.nd.add"),
    overhead.ReadScalar: built("mxnet.nd.NDArray.asscalar", read),
    # Foreach: MXNet's own control flow.
    overhead.Foreach: built("mxnet.nd.contrib.foreach", foreach),
    overhead.WhileLoop: built("mxnet.nd.contrib.while_loop", while_loop),
    overhead.Cond: built("mxnet.nd.contrib.cond", cond),
    probe.CustomOpElementwiseAdd: built("mxnet.nd.Custom + mxnet.operator", custom_add),
    probe.Lambda: built("mxnet.gluon.nn.HybridLambda", layer),
}
