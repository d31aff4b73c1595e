"""PyTorch's callables for the operators of cast, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import Absent, built, native
from opperf.operators import cast
from opperf.pytorch_benchmarks.binding.cast import convert

TABLE = {
    cast.Cast: built("torch.Tensor.to", convert),
    cast.Identity: native("torch.clone"),
    cast.Copy: native("torch.Tensor.copy_"),
    cast.AmpCast: Absent("its mixed precision inserts torch.Tensor.to, which is Cast"),
}
