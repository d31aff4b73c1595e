"""Where memory lies, and what watches a device's memory during a call."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array

Span = tuple[int, int]
"""Where memory lies: the first address and the number of bytes."""
LINE = 64
"""Bytes of a cache line, or of half a one."""


def lines(span: Span) -> Array:
    """Return a byte of each cache line of the host's memory there, which whoever asks keeps alive.

    Reading them brings the lines into the cache.
    """
    import numpy as np

    start, nbytes = span
    there = (ctypes.c_ubyte * nbytes).from_address(start)
    return np.frombuffer(memoryview(there), np.uint8)[::LINE]


def lies_in(span: Span | None, other: Span | None) -> bool:
    """Return whether the first span lies within the other; False if either is unknown.

    What has no bytes lies nowhere.
    """
    if span is None or other is None or not span[1]:
        return False
    return other[0] <= span[0] and sum(span) <= sum(other)


class Taken(Protocol):
    """What a call took of a device's memory."""

    def beside(self, spans: Sequence[Span], *, made: bool) -> int:
        """Return the bytes beside these spans, which the call `made` or found."""


class Watch(Protocol):
    """What watches a device's memory during a call."""

    def __call__(self, call: Callable[[], Any]) -> tuple[Any, Taken | None]:
        """Return what the call returns, and what it took, None where that cannot be told."""


def no_watch(call: Callable[[], Any]) -> tuple[Any, None]:
    """Return what the call returns, and that nobody saw what it took."""
    return call(), None
