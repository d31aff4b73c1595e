"""Strides and memory formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.declaring.moving import gather_gradient
from opperf.operators.shape.axes import IMAGES, MATRICES
from opperf.operators.shape.shape import Rearrangement

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


def sliding_windows(data: Array, *, window: int) -> Array:
    """Return all windows of each row, one element apart."""
    return np.lib.stride_tricks.sliding_window_view(data, window, -1).copy()


class AsStrided(Rearrangement):
    """data[i, j + k]: overlapping windows of each row, which may be a view."""

    attributes = {"window": 8}
    sizes = {**MATRICES, "large": {"data": (2048, 2048)}}
    reference = sliding_windows
    gradient = gather_gradient(reference)
    gradient_tolerance = CANCELING_SUMS.because("places that overlap add up")

    def outputs(self) -> tuple[Shape, ...]:
        """Return one window per position."""
        self.require_rank("data", 2)
        (rows, columns), window = self.inputs["data"], self.inputs["window"]
        self.require(1 <= window <= columns, "window", f"must lie in [1, {columns}]")
        return ((rows, columns - window + 1, window),)


class ChannelsLast(Rearrangement):
    """NCHW images converted to channels-last memory, with the same shape."""

    sizes = IMAGES
    reference = np.copy
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 4)
        return (self.inputs["data"],)
