"""Strides and memory formats."""

from __future__ import annotations

from math import prod
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


def windows_along(data: Array, *, axis: int, length: int, step: int) -> Array:
    """Return every `step`-th window along an axis, the elements of each in a new last axis."""
    found = np.lib.stride_tricks.sliding_window_view(data, length, axis)
    return np.take(found, range(0, found.shape[axis], step), axis)


class SlidingWindows(Rearrangement):
    """Windows of `length` elements along an axis, every `step`: a view or a copy.

    Typical are the rows of HaloNet's blocks of 8 with a halo of 2 on each side, for 8 images;
    skewed are frames of 25 ms every 10 ms of ten seconds of speech. What is left over at the end
    lies in no window.
    """

    attributes = {"axis": 2, "length": 12, "step": 8}
    sizes = {
        "small": {"data": (1, 4, 20, 20)},
        "typical": {"data": (8, 384, 20, 20)},
        "large": {"data": (64, 384, 36, 36)},
        "skewed": {"data": (1, 160240), "axis": 1, "length": 400, "step": 160},
    }
    part_read = {"data": "what lies in a window"}
    reference = windows_along
    gradient = gather_gradient(reference)
    gradient_tolerance = CANCELING_SUMS.because("places that overlap add up")

    def outputs(self) -> tuple[Shape, ...]:
        """Return the number of windows along the axis, and the length last."""
        shape, axis = self.inputs["data"], self.inputs["axis"]
        length, step = self.inputs["length"], self.inputs["step"]
        self.require(-len(shape) <= axis < len(shape), "axis", f"data has {len(shape)} dimensions")
        axis %= len(shape)
        self.require(1 <= length <= shape[axis], "length", f"must lie in [1, {shape[axis]}]")
        self.require(step >= 1, "step", "must be at least 1")
        count = (shape[axis] - length) // step + 1
        return ((*shape[:axis], count, *shape[axis + 1 :], length),)

    def elements_read(self) -> dict[str, int]:
        """Return the elements that lie in a window."""
        shape, axis = self.inputs["data"], self.inputs["axis"]
        length, step = self.inputs["length"], self.inputs["step"]
        covered = (shape[axis] - length) // step * min(step, length) + length
        return {"data": prod(shape) // shape[axis] * covered}


class ChannelsLast(Rearrangement):
    """NCHW images converted to channels-last memory, with the same shape."""

    sizes = IMAGES
    reference = np.copy
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 4)
        return (self.inputs["data"],)
