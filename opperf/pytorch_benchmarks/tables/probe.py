"""PyTorch's callables for the operators of probe, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.probe import overhead, probe
from opperf.pytorch_benchmarks.binding.overhead import compiled_sum, cond, foreach, read, while_loop
from opperf.pytorch_benchmarks.binding.probe import custom_add, layer

TABLE = {
    overhead.OneElementCopy: native("torch.clone"),
    overhead.OneElementAdd: native("torch.add"),
    overhead.ReadScalar: built("torch.Tensor.item", read),
    # CompileGuard: the backend "eager" compiles nothing and leaves the guards.
    overhead.CompileGuard: built("torch.compile + torch.add", compiled_sum, compiles=True),
    # Foreach: loops are Python's.
    overhead.Foreach: built("torch.unbind + torch.add + torch.stack", foreach),
    overhead.WhileLoop: built("torch.mul", while_loop),
    overhead.Cond: built("torch.mul", cond),
    probe.CustomOpElementwiseAdd: built("torch.autograd.Function", custom_add),
    probe.Lambda: built("torch.nn.Module + torch.square", layer),
}
