"""Images as columns of windows (im2col), and back (col2im)."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.windows import Windowed, scatter, windows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape


def im2col(data: Array, *, kernel: Shape, stride: int, padding: int) -> Array:
    """Return each image's windows as the columns of a matrix."""
    found = windows(data, kernel, stride, padding)
    return found.reshape(len(data), data.shape[1] * prod(kernel), -1)


def im2col_gradient(
    cotangents: Sequence[Array], data: Array, *, kernel: Shape, stride: int, padding: int
) -> tuple[Array]:
    """Return the gradient by data: overlapping windows are summed."""
    size = data.shape[2:]
    found = col2im(cotangents[0], output_size=size, kernel=kernel, stride=stride, padding=padding)
    return (found,)


class ColumnTransform(Windowed, abstract=True):
    """A transform between images and the columns of their windows."""

    spatial = 2
    tensors = {"data": Tensor()}

    def columns(self, batch: int, channels: int, size: Sequence[int]) -> Shape:
        """Return the shape of the columns of images of this size."""
        self.require_rank("kernel", 2)
        kernel = self.inputs["kernel"]
        places = self.positions(size, kernel, "kernel")
        return batch, channels * prod(kernel), prod(places)


UNFOLDING: Mapping[str, tuple[Shape, Shape]] = {
    "small": ((1, 4, 12, 12), (3, 3)),
    "typical": ((4, 64, 56, 56), (3, 3)),
    "large": ((16, 64, 56, 56), (3, 3)),
    "skewed": ((1, 3, 7, 1023), (5, 3)),
}
"""Images and the size of a window: typical is ResNet-50's first stage, for 4 images."""


class Im2Col(ColumnTransform):
    """im2col: the windows of NCHW images as the columns of a matrix each."""

    attributes = {"kernel": (3, 3), "stride": 1, "padding": 1}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        size: {"data": data, "kernel": kernel} for size, (data, kernel) in UNFOLDING.items()
    }
    reference = im2col
    gradient = im2col_gradient
    gradient_tolerance = CANCELING_SUMS
    flops_per_element = 0  # elements are moved only

    def outputs(self) -> tuple[Shape, ...]:
        """Return (batch, channels * window elements, positions)."""
        self.require_rank("data", 4)
        batch, channels, *size = self.inputs["data"]
        return (self.columns(batch, channels, size),)


def col2im(data: Array, *, output_size: Shape, kernel: Shape, stride: int, padding: int) -> Array:
    """Return images that are the sums of overlapping windows."""
    places = [(n + 2 * padding - k) // stride + 1 for n, k in zip(output_size, kernel, strict=True)]
    parts = data.reshape(len(data), -1, *kernel, *places)
    return scatter(parts, output_size, stride, padding)


def col2im_gradient(
    cotangents: Sequence[Array], data: Array, *, output_size: Shape, kernel: Shape, stride: int,
    padding: int,
) -> tuple[Array]:  # fmt: skip
    """Return the windows of the cotangent."""
    del output_size
    return (
        im2col(cotangents[0], kernel=kernel, stride=stride, padding=padding).reshape(data.shape),
    )


def overlap(starts: range, kernel: int, size: int) -> int:
    """Return how many elements of all windows of this length lie in [0, size)."""

    def before(end: int) -> int:
        """Return the sum of the distances from each begin that is before `end` to it."""
        count = min(max(-((starts.start - end) // starts.step), 0), len(starts))
        return count * (end - starts.start) - starts.step * (count * (count - 1) // 2)

    return before(size) - before(0) - before(size - kernel) + before(-kernel)


class Col2Im(ColumnTransform):
    """col2im: images that are the sums of overlapping windows, the gradient of Im2Col."""

    attributes = {"output_size": (56, 56), "kernel": (3, 3), "stride": 1, "padding": 1}
    sizes = {
        size: {
            "data": (n, c * k * m, (h + 3 - k) * (w + 3 - m)),
            "output_size": (h, w),
            "kernel": (k, m),
        }
        for size, ((n, c, h, w), (k, m)) in UNFOLDING.items()
    }
    part_read = {"data": "what lies inside the images"}
    reference = col2im
    gradient = col2im_gradient
    tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return images of `output_size`."""
        self.require_rank("data", 3)
        self.require_rank("output_size", 2)
        batch, rows, _ = self.inputs["data"]
        self.require_rank("kernel", 2)
        each = prod(self.inputs["kernel"])
        self.require(rows % each == 0, "data", f"must have a multiple of {each} rows")
        size = self.inputs["output_size"]
        expected = self.columns(batch, rows // each, size)
        self.require(self.inputs["data"] == expected, "data", f"must be {expected}")
        return ((batch, rows // each, *size),)

    def flop_count(self) -> int:
        """Return 1 FLOP for each window element inside the images."""
        return self.elements_read()["data"]

    def elements_read(self) -> dict[str, int]:
        """Return the window elements inside the images; those in the padding are not read."""
        batch, rows, _ = self.inputs["data"]
        stride, padding = self.inputs["stride"], self.inputs["padding"]
        inside = 1
        for size, kernel in zip(self.inputs["output_size"], self.inputs["kernel"], strict=True):
            starts = range(-padding, size + padding - kernel + 1, stride)
            inside *= overlap(starts, kernel, size)
        return {"data": batch * rows // prod(self.inputs["kernel"]) * inside}
