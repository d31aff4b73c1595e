"""Seeing each operator that PyTorch calls, below autograd: what its kernels are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from opperf.pytorch_benchmarks.calling.recording import record_call

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.calls.ranking.tally import Place, Tally

BESIDE = ("profiler", "prim", "prims")
"""Namespaces of what computes nothing on tensors."""

EXCLUDED = torch._C._dispatch_tls_is_dispatch_key_excluded  # noqa: SLF001 - nothing public tells
IN_PLACE = torch._C.DispatchKey.ADInplaceOrView  # noqa: SLF001 - likewise


def of_mode(overload: Any) -> bool:
    """Return whether a call is made for the dispatch mode alone, as the profiler does not see it.

    Where autograd keeps a tensor, a mode is asked for a detached one, without the dispatcher; a
    detach that is called comes through the dispatcher, which puts the key aside that makes views.
    """
    return overload is torch.ops.aten.detach.default and not EXCLUDED(IN_PLACE)


class CaptureMode(TorchDispatchMode):
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
        if func.namespace not in BESIDE and not of_mode(func):
            self.tally.add(str(func), record_call(func, args, named), self.place())
        return func(*args, **named)
