"""Broadcasting, repetition, padding by the data's own elements, and coordinate grids.

Typical is the bias of BERT-base's first feed-forward layer, for 512 tokens; skewed repeats single
elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.moving import gather_gradient
from opperf.operators.expand.expand import Expansion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array, Shape

ROWS = {
    "small": ((1, 64), (64, 64)),
    "typical": ((1, 3072), (512, 3072)),
    "large": ((1, 4096), (4096, 4096)),
    "skewed": ((10007, 1), (10007, 7)),
}
"""What is repeated, and the shape that it gets."""


def broadcast_to(data: Array, *, shape: Shape) -> Array:
    """Return data broadcast to shape, copied."""
    return np.broadcast_to(data, shape).copy()


class BroadcastTo(Expansion):
    """data broadcast to `shape`."""

    attributes = {"shape": (512, 3072)}
    sizes = {size: {"data": data, "shape": shape} for size, (data, shape) in ROWS.items()}
    reference = broadcast_to
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return `shape`."""
        data, shape = self.inputs["data"], self.inputs["shape"]
        fits = len(data) == len(shape) and all(
            n in {1, m} for n, m in zip(data, shape, strict=True)
        )
        self.require(fits, "shape", f"must equal data={data} but where that is 1")
        return (shape,)


def broadcast_axis(data: Array, *, axis: int, size: int) -> Array:
    """Return data repeated `size` times along an axis of length 1."""
    return np.repeat(data, size, axis)


class BroadcastAxis(Expansion):
    """data broadcast along one axis to length `size`.

    Typical is a mask for 12 heads of BERT.
    """

    attributes = {"axis": 1, "size": 12}
    sizes = {
        "small": {"data": (2, 1, 8, 8), "size": 4},
        "typical": {"data": (2, 1, 128, 128)},
        "large": {"data": (8, 1, 512, 512)},
        "skewed": {"data": (10007, 1), "size": 7},
    }
    reference = broadcast_axis
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape with that axis of length `size`."""
        shape, axis, size = (self.inputs[name] for name in ("data", "axis", "size"))
        fits = 0 <= axis < len(shape) and shape[axis] == 1
        self.require(fits, "axis", f"must be an axis of 1 element of {shape}")
        self.require(size >= 1, "size", "must be at least 1")
        return ((*shape[:axis], size, *shape[axis + 1 :]),)


def broadcast_like(lhs: Array, rhs: Array) -> Array:
    """Return lhs broadcast to the shape of rhs, copied."""
    return np.broadcast_to(lhs, rhs.shape).copy()


class BroadcastLike(Expansion):
    """lhs broadcast to the shape of rhs."""

    tensors = {"lhs": Tensor(), "rhs": Tensor(differentiable=False)}
    sizes = {size: {"lhs": data, "rhs": shape} for size, (data, shape) in ROWS.items()}
    unread = {"rhs": "only its shape"}
    reference = broadcast_like

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of rhs."""
        left, right = self.inputs["lhs"], self.inputs["rhs"]
        fits = len(left) == len(right) and all(
            n in {1, m} for n, m in zip(left, right, strict=True)
        )
        self.require(fits, "rhs", f"must equal lhs={left} but where that is 1")
        return (right,)


def repeat(data: Array, *, repeats: int, axis: int) -> Array:
    """Return data with each slice along axis repeated `repeats` times."""
    return np.repeat(data, repeats, axis)


class Repeat(Expansion):
    """Each slice along an axis repeated `repeats` times.

    Typical gives the 8 heads of Llama 3 8B's keys to 32 of queries, for 512 tokens.
    """

    attributes = {"repeats": 4, "axis": 1}
    sizes = {
        "small": {"data": (1, 2, 16, 8)},
        "typical": {"data": (1, 8, 512, 128)},
        "large": {"data": (4, 8, 2048, 128)},
        "skewed": {"data": (10007, 1), "repeats": 7},
    }
    reference = repeat
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape with that axis `repeats` times as long."""
        shape, axis, repeats = (self.inputs[name] for name in ("data", "axis", "repeats"))
        self.require(0 <= axis < len(shape), "axis", f"must lie in [0, {len(shape) - 1}]")
        self.require(repeats >= 1, "repeats", "must be at least 1")
        return ((*shape[:axis], shape[axis] * repeats, *shape[axis + 1 :]),)


IMAGES: Mapping[str, Mapping[str, object]] = {
    "small": {"data": (1, 4, 32, 32)},
    "typical": {"data": (4, 64, 56, 56)},
    "large": {"data": (32, 64, 112, 112)},
    "skewed": {"data": (1, 3, 7, 1023), "padding": 3},
}


class ImagePadding(Expansion, abstract=True):
    """NCHW images padded by their own elements, by `padding` on all four sides."""

    attributes = {"padding": 1}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = IMAGES

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of the padded images."""
        self.require_rank("data", 4)
        batch, channels, height, width = self.inputs["data"]
        padding, most = self.inputs["padding"], min(height, width) - 1
        self.require(0 <= padding <= most, "padding", f"must lie in [0, {most}]")
        return ((batch, channels, height + 2 * padding, width + 2 * padding),)


def pad_images(data: Array, padding: int, mode: str) -> Array:
    """Return the images padded by NumPy's mode of this name."""
    return np.pad(data, ((0, 0), (0, 0), *((padding, padding),) * 2), mode)  # type: ignore[call-overload]


def pad_reflect(data: Array, *, padding: int) -> Array:
    """Return the images padded by reflection without repeating the edge."""
    return pad_images(data, padding, "reflect")


class PadReflect(ImagePadding):
    """NCHW images padded by reflection, as in CycleGAN."""

    reference = pad_reflect
    gradient = gather_gradient(reference)


def pad_edge(data: Array, *, padding: int) -> Array:
    """Return the images padded by their edge values."""
    return pad_images(data, padding, "edge")


class PadEdge(ImagePadding):
    """NCHW images padded by their edge values."""

    reference = pad_edge
    gradient = gather_gradient(reference)


def pad_circular(data: Array, *, padding: int) -> Array:
    """Return the images padded by wrapping around."""
    return pad_images(data, padding, "wrap")


class PadCircular(ImagePadding):
    """NCHW images padded by wrapping around."""

    reference = pad_circular
    gradient = gather_gradient(reference)


def meshgrid(lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return the coordinate matrices of a grid, the first varying along the rows."""
    first, second = np.meshgrid(lhs, rhs, indexing="ij")
    return first, second


GRIDS: Mapping[str, Mapping[str, object]] = {
    "small": {"lhs": (64,), "rhs": (64,)},
    "typical": {"lhs": (1024,), "rhs": (1024,)},
    "large": {"lhs": (4096,), "rhs": (4096,)},
    "skewed": {"lhs": (10007,), "rhs": (3,)},
}
"""The two axes of a grid."""


class MeshGrid(Expansion):
    """Coordinate matrices of the grid lhs x rhs."""

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    sizes = GRIDS
    reference = meshgrid
    gradient = gather_gradient(reference)
    differentiable_outputs = (0, 1)

    def outputs(self) -> tuple[Shape, ...]:
        """Return two matrices."""
        self.require_rank("lhs", 1)
        self.require_rank("rhs", 1)
        return ((*self.inputs["lhs"], *self.inputs["rhs"]),) * 2
