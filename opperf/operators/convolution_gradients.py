"""The gradients of a convolution by its data and by its weight, which differ in cost."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operators.absence import ONLY_PYTORCH
from opperf.operators.convolution import convolve_gradient, spread
from opperf.operators.windows import Windowed

if TYPE_CHECKING:
    from opperf.core.tensor import Array, Shape

CATEGORY = "convolution"


def convolution_data_gradient(seed: Array, weight: Array, *, size: Shape, padding: int) -> Array:
    """Return a convolution's gradient by its data: overlapping windows, added up."""
    return spread(seed, weight, (weight.shape[1], *size), stride=1, padding=padding)


class Conv2DDataGradient(Windowed):
    """The gradient of Conv2D by its data alone, from that by its output."""

    spatial = 2
    tensors = {"seed": Tensor(), "weight": Tensor()}
    attributes = {"size": (56, 56), "padding": 1}
    sizes = {
        "small": {"seed": (1, 8, 16, 16), "weight": (8, 8, 3, 3), "size": (16, 16)},
        "typical": {"seed": (4, 64, 56, 56), "weight": (64, 64, 3, 3)},
        "large": {"seed": (32, 64, 56, 56), "weight": (64, 64, 3, 3)},
        "skewed": {"seed": (1, 17, 5, 1023), "weight": (17, 3, 5, 3), "size": (7, 1023)},
    }
    reference = staticmethod(convolution_data_gradient)
    differentiable = False
    limitations = ONLY_PYTORCH

    def outputs(self) -> tuple[Shape, ...]:
        """Return images of the size asked for."""
        self.require_rank("seed", 4)
        self.require_rank("weight", 4)
        batch, filters, *places = self.inputs["seed"]
        found, channels, *kernel = self.inputs["weight"]
        self.require(found == filters, "weight", f"must have {filters} filters, as seed has")
        self.require_rank("size", 2)
        size, padding = self.inputs["size"], self.inputs["padding"]
        fits = [n + 2 * padding - k + 1 for n, k in zip(size, kernel, strict=True)]
        self.require(places == fits, "size", f"does not make seed={self.inputs['seed']}")
        return ((batch, channels, *size),)

    def flop_count(self) -> int:
        """Return those of the forward."""
        return 2 * prod(self.inputs["seed"]) * prod(self.inputs["weight"][1:])


def convolution_weight_gradient(data: Array, seed: Array, *, kernel: Shape, padding: int) -> Array:
    """Return a convolution's gradient by its weight: windows times gradients."""
    shape = (seed.shape[1], data.shape[1], *kernel)
    nothing = np.zeros(shape[0])
    _, found, _ = convolve_gradient(
        [seed], data, np.zeros(shape, data.dtype), nothing, stride=1, padding=padding
    )
    return found


class Conv2DWeightGradient(Windowed):
    """The gradient of Conv2D by its weight alone, from data and the gradient by its output."""

    spatial = 2
    tensors = {"data": Tensor(), "seed": Tensor()}
    attributes = {"kernel": (3, 3), "padding": 1}
    sizes = {
        "small": {"data": (1, 8, 16, 16), "seed": (1, 8, 16, 16)},
        "typical": {"data": (4, 64, 56, 56), "seed": (4, 64, 56, 56)},
        "large": {"data": (32, 64, 56, 56), "seed": (32, 64, 56, 56)},
        "skewed": {"data": (1, 3, 7, 1023), "seed": (1, 17, 5, 1023), "kernel": (5, 3)},
    }
    reference = staticmethod(convolution_weight_gradient)
    differentiable = False
    limitations = ONLY_PYTORCH

    def outputs(self) -> tuple[Shape, ...]:
        """Return filters by channels by the kernel."""
        self.require_rank("data", 4)
        self.require_rank("seed", 4)
        self.require_rank("kernel", 2)
        batch, channels, *size = self.inputs["data"]
        filters = self.inputs["seed"][1]
        kernel, padding = self.inputs["kernel"], self.inputs["padding"]
        places = [n + 2 * padding - k + 1 for n, k in zip(size, kernel, strict=True)]
        expected = (batch, filters, *places)
        self.require(self.inputs["seed"] == expected, "seed", f"must be {expected}")
        return ((filters, channels, *kernel),)

    def flop_count(self) -> int:
        """Return those of the forward."""
        return 2 * prod(self.inputs["seed"]) * prod(self.outputs()[0][1:])
