"""Where MXNet's arrays lie, and what its recorded graphs keep."""

from __future__ import annotations

import ctypes
import mmap
import time
from typing import TYPE_CHECKING, Any

from opperf.core.memory.heap import held_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

ALIKE, TRIES = 64 * 2**10, 8
"""Bytes by which what is allocated may differ before and after, and how often that is tried: MXNet
has four pieces of scratch, which it uses in turn and which grow as they are used."""
MOST_WAITS, WAIT = 50, 500e-6
"""The engine frees arrays some time after it reports that all is done."""


def span(mxnet: Any, array: Any) -> tuple[int, int]:
    """Return an array's first address and its bytes."""
    found = ctypes.c_void_p()
    mxnet.base.check_call(mxnet.base._LIB.MXNDArrayGetData(array.handle, ctypes.byref(found)))  # noqa: SLF001 - Python sees no address otherwise
    return found.value or 0, nbytes(array)


def nbytes(array: Any) -> int:
    """Return an array's bytes."""
    import numpy as np

    return int(array.size) * np.dtype(array.dtype).itemsize


def saved_bytes(mxnet: Any, record: Callable[..., Any]) -> int | None:
    """Return the bytes that a recorded forward keeps, in whole pages; None if they vary.

    `record` returns the outputs of a forward and its binding, of tensors passed through the
    function it is given. MXNet does not report what its graphs keep. So the forward is given copies
    that nothing else holds, its outputs are copied and released, and what then stays allocated is
    kept by the graph: a copy's own backward needs neither. The graph's records, 1 to 16 KiB, are
    included. The figure has to repeat: on a busy machine the engine may free memory a while later.
    """
    if held_bytes() is None:
        return None
    found: list[int] = []
    for _ in range(TRIES):
        held, left = held_by_graph(mxnet, record)
        if abs(left) > ALIKE:
            continue
        if any(abs(held - other) <= ALIKE for other in found):
            return max(round(held / mmap.PAGESIZE), 0) * mmap.PAGESIZE
        found.append(held)
    return None


def held_by_graph(mxnet: Any, record: Callable[..., Any]) -> tuple[int, int]:
    """Return the bytes allocated while only the heads of a forward are held, and afterwards.

    Both are relative to those before it, without the heads' own.
    """
    before = settled_bytes(mxnet)
    heads, gradients = copied_heads(record)
    held = settled_bytes(mxnet) - before - sum(map(nbytes, heads)) - gradients
    del heads
    return held, settled_bytes(mxnet) - before


def copied_heads(record: Callable[..., Any]) -> tuple[list[Any], int]:
    """Return copies of a forward's outputs, and the bytes of gradients that its binding made."""
    outputs, bound = record(lambda tensor: tensor.copy())
    leaves = (leaf.grad for leaf in bound.leaves or ())
    gradients = sum(nbytes(gradient) for gradient in leaves if gradient is not None)
    return [output.copy() for output in outputs], gradients


def settled_bytes(mxnet: Any) -> int:
    """Return the allocated bytes once the engine has freed what nothing holds."""
    mxnet.nd.waitall()
    last = held_bytes()
    for _ in range(MOST_WAITS):
        time.sleep(WAIT)
        found = held_bytes()
        if found == last:
            break
        last = found
    return last or 0
