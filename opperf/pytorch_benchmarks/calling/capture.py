"""Seeing each operator that PyTorch calls, below autograd: what its kernels are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch.utils._python_dispatch import TorchDispatchMode

from opperf.pytorch_benchmarks.calling.recording import recorded

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.calls.tally import Place, Tally

BESIDE = ("profiler", "prim", "prims")
"""Namespaces of what computes nothing on tensors."""


class Capture(TorchDispatchMode):
    """Counts each call of an operator with its arguments as they are before it runs.

    What the dispatcher makes of others (linear, matmul) is seen as those others, as in the logs of
    operatorbench, and so are views. What a kernel calls within itself is not seen.
    """

    def __init__(self, tally: Tally, place: Callable[[], Place]) -> None:
        super().__init__()
        self.tally, self.place = tally, place

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Count the call, and make it."""
        del types
        named = kwargs or {}
        if func.namespace not in BESIDE:
            self.tally.add(str(func), recorded(func, args, named), self.place())
        return func(*args, **named)
