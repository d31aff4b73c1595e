"""Sliding windows over N-dimensional data, for convolution and pooling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def count_positions(size: Sequence[int], kernel: Shape, stride: int, padding: int) -> list[int]:
    """Return the number of windows along each axis; an incomplete last one is dropped."""
    return [(n + 2 * padding - k) // stride + 1 for n, k in zip(size, kernel, strict=True)]


def windows(
    data: Array, kernel: Shape, stride: int, padding: int, *, outside: float = 0.0
) -> Array:
    """Return all windows of the last axes of (..., *size) data.

    Returns:
        A view of shape (..., *kernel, *positions) on the data, padded by `outside`.
    """
    rank, leading = len(kernel), data.ndim - len(kernel)
    widths = [(0, 0)] * leading + [(padding, padding)] * rank
    padded = np.pad(data, widths, constant_values=outside) if padding else data
    axes: Any = tuple(range(leading, data.ndim))  # NumPy's stubs know one axis only
    steps: Any = (..., *[slice(None, None, stride)] * rank, *[slice(None)] * rank)
    found = sliding_window_view(padded, kernel, axes)[steps]
    order = (*range(leading), *range(data.ndim, data.ndim + rank), *axes)
    return found.transpose(order)


def scatter(parts: Array, size: Sequence[int], stride: int, padding: int) -> Array:
    """Add overlapping (..., *kernel, *positions) windows into (..., *size)."""
    rank = len(size)
    leading = parts.ndim - 2 * rank
    kernel, positions = parts.shape[leading : leading + rank], parts.shape[leading + rank :]
    shape = (*parts.shape[:leading], *(n + 2 * padding for n in size))
    padded = np.zeros(shape, parts.dtype)
    for offset in np.ndindex(*kernel):
        touched = [
            slice(start, start + stride * (count - 1) + 1, stride)
            for start, count in zip(offset, positions, strict=True)
        ]
        target: Any = (..., *touched)
        source: Any = (*[slice(None)] * leading, *offset)
        padded[target] += parts[source]
    inside: Any = (..., *(slice(padding, padding + n) for n in size))
    return padded[inside]


class Windowed(Declaration, abstract=True):
    """An operator with a window sliding along the last `spatial` axes of its data."""

    spatial: ClassVar[int]

    def check_sliding(self) -> None:
        """Validate stride and padding."""
        self.require(self.inputs["stride"] >= 1, "stride", "must be at least 1")
        self.require(self.inputs["padding"] >= 0, "padding", "must be at least 0")

    def positions(self, size: Sequence[int], kernel: Shape, name: str) -> list[int]:
        """Return the number of windows along each axis; errors name the input `name`."""
        self.check_sliding()
        stride, padding = self.inputs["stride"], self.inputs["padding"]
        padded = tuple(n + 2 * padding for n in size)
        fits = all(k <= n for k, n in zip(kernel, padded, strict=True))
        self.require(fits, name, f"a window of {kernel} is larger than the padded data {padded}")
        return count_positions(size, kernel, stride, padding)
