"""Where PyTorch's tensors lie, what its graphs keep, and a call's peak GPU memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Span = tuple[int, int]

CURRENT, PEAK = "requested_bytes.all.current", "requested_bytes.all.peak"
"""As asked for, before the allocator rounds up to its blocks."""


def span(tensor: Any) -> Span | None:
    """Return the first address and the bytes of a tensor's memory; None of one that has several."""
    try:
        storage = tensor.untyped_storage()
    except NotImplementedError:  # a sparse tensor is several
        return None
    return storage.data_ptr(), storage.nbytes()


def saved_bytes(torch: Any, record: Callable[[], Any]) -> int:
    """Return the bytes of the tensors that a recorded forward keeps, each memory counted once.

    `record` runs the forward. Its graph hands over each tensor that it saves.
    """
    saved: list[Any] = []

    def keep(tensor: Any) -> None:
        saved.append(tensor.detach())  # held, so that no other comes to lie where it did

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda packed: packed):
        outputs = record()
    found = dict(filter(None, map(span, saved)))
    del outputs
    return sum(found.values())


@dataclass(frozen=True)
class Peak:
    """The most bytes of a GPU that were given out during a call, beyond those before it."""

    nbytes: int

    def beside(self, spans: Sequence[Span], *, made: bool) -> int:
        """Return the bytes beside the spans; those that the call did not make are no part of it."""
        own = sum(nbytes for _, nbytes in spans) if made else 0
        return max(self.nbytes - own, 0)


def watch_gpu(torch: Any, call: Callable[[], Any]) -> tuple[Any, Peak]:
    """Return what the call returns, and what PyTorch's allocator gave out for it on the GPU.

    cuBLAS's workspaces are cleared first: else they would be kept from the call before. What
    libraries allocate past PyTorch is not seen.
    """
    torch.cuda.synchronize()
    torch._C._cuda_clearCublasWorkspaces()  # noqa: SLF001 - as PyTorch's notes on CUDA tell to
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_stats()[CURRENT]
    results = call()
    torch.cuda.synchronize()
    return results, Peak(torch.cuda.memory_stats()[PEAK] - before)
