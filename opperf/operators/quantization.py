"""Symmetric int8 quantization with one scale per tensor.

A number x becomes round(127.5 x / limit), by the nearest integer. Values to be quantized lie well
within a step: a float32 near its edge may be rounded to either side. The measured dtype is float32;
int8 and int32 tensors keep theirs.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.declaring.elementwise import SHAPES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array, Initializer, Shape

LEVELS = 127
RANGE = 127.5
EIGHT = Tensor(dtype="int8", differentiable=False, low=-LEVELS, high=LEVELS)
SEVEN = Tensor(dtype="int8", differentiable=False, low=-(LEVELS // 2), high=LEVELS // 2)
"""A weight range for which every processor is right: seven bits.

Without VNNI, x86 adds two products of eight bits in sixteen and saturates at 32767; the other
factor is shifted to 0..255 first, and 2 * 255 * 63 is less. docs/lab/method.md, "Eight bits", has
what a weight of the full range does where.
"""


def within_steps(limit: float) -> Initializer:
    """Return an initializer of values near the middle of their quantization steps."""

    def draw(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
        del low, high
        steps = random.integers(1 - LEVELS, LEVELS, shape) + random.uniform(-0.25, 0.25, shape)
        return steps * limit / RANGE

    return draw


class QuantizedConversion(Declaration, abstract=True):
    """A conversion between int8 and floating-point numbers."""

    tensors = {"data": Tensor()}
    attributes = {"limit": 4.0}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        size: {"data": shape} for size, shape in SHAPES.items()
    }
    dtypes = ("float32",)
    differentiable = False
    flops_per_element = 1  # a product

    def domains(self) -> Mapping[str, Tensor]:
        """Return values near the middle of their quantization steps."""
        return {"data": Tensor(initializer=within_steps(self.inputs["limit"]))}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(self.inputs["limit"] > 0, "limit", "must be positive")
        return (self.inputs["data"],)


def quantize(data: Array, *, limit: float) -> Array:
    """Return the nearest quantization step as an integer."""
    return np.rint(data * (RANGE / limit)).clip(-LEVELS, LEVELS).astype(np.int8)


class Quantize(QuantizedConversion):
    """round(data * 127.5 / limit) as int8."""

    reference = quantize

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int8."""
        return ("int8",)


def dequantize(data: Array, *, limit: float) -> Array:
    """Return data * limit / 127.5."""
    return data.astype(np.float32) * np.float32(limit / RANGE)


class Dequantize(QuantizedConversion):
    """data * limit / 127.5, from int8 to floating-point numbers."""

    tensors = {"data": EIGHT}
    reference = dequantize

    def domains(self) -> Mapping[str, Tensor]:
        """Return all int8 values but the least."""
        return self.tensors


def fake_quantize(data: Array, *, limit: float) -> Array:
    """dequantize(quantize(data))."""
    return np.rint(data * (RANGE / limit)).clip(-LEVELS - 1, LEVELS) * (limit / RANGE)


class FakeQuantize(QuantizedConversion):
    """dequantize(quantize(data)), as in quantization-aware training.

    Forward only: the backward is a straight-through estimator, which is no derivative.
    """

    reference = fake_quantize


class FakeQuantizeChannels(FakeQuantize):
    """dequantize(quantize(data)) with one scale per row; here all scales are equal."""


class IntegerOperator(Declaration, abstract=True):
    """An operator on int8 tensors."""

    dtypes = ("float32",)
    differentiable = False


def quantized_dense(data: Array, weight: Array) -> Array:
    """Return data @ weight^T in int32."""
    return (data.astype(np.float64) @ weight.T.astype(np.float64)).astype(np.int32)


class QuantizedDense(IntegerOperator):
    """data @ weight^T of int8 matrices, in int32, without scales.

    The weight has seven bits, whose sums of pairs fit into sixteen bits: processors without VNNI
    need that. Typical is the first layer of BERT-base's feed-forward part, for 128 tokens.
    """

    tensors = {"data": EIGHT, "weight": SEVEN}
    sizes = {
        "small": {"data": (16, 64), "weight": (64, 64)},
        "typical": {"data": (128, 768), "weight": (3072, 768)},
        "large": {"data": (2048, 1024), "weight": (4096, 1024)},
        "skewed": {"data": (1, 2048), "weight": (1000, 2048)},
    }
    reference = quantized_dense

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows, units)."""
        self.require_rank("data", 2)
        self.require_rank("weight", 2)
        (rows, features), (units, found) = self.inputs["data"], self.inputs["weight"]
        self.require(found == features, "weight", f"must have {features} columns, as data has")
        return ((rows, units),)

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int32."""
        return ("int32",)

    def flop_count(self) -> int:
        """Return the integer operations of the product."""
        return 2 * prod(self.inputs["weight"]) * int(self.inputs["data"][0])


def requantize(data: Array, *, scale: float) -> Array:
    """Return round(data * scale)."""
    return np.rint(data * scale).clip(-LEVELS, LEVELS).astype(np.int8)


class Requantize(IntegerOperator):
    """round(data * scale) from int32 to int8, with a power of two as the scale.

    As after an int8 matrix product. The data drawn are not negative.
    """

    tensors = {"data": Tensor(dtype="int32", differentiable=False, low=0, high=LEVELS << 12)}
    attributes = {"scale": 2.0**-12}
    sizes = {
        "small": {"data": (16, 64)},
        "typical": {"data": (128, 3072)},
        "large": {"data": (2048, 4096)},
        "skewed": {"data": (9973, 13)},
    }
    reference = requantize
    flops_per_element = 1  # a product

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(self.inputs["scale"] > 0, "scale", "must be positive")
        return (self.inputs["data"],)

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int8."""
        return ("int8",)


def rectify(data: Array) -> Array:
    """max(data, 0)."""
    return np.maximum(data, 0)


class QuantizedReLU(IntegerOperator):
    """max(data, 0) of int8."""

    tensors = {"data": EIGHT}
    sizes = {
        "small": {"data": (1, 8, 16, 16)},
        "typical": {"data": (4, 64, 56, 56)},
        "large": {"data": (32, 64, 112, 112)},
        "skewed": {"data": (1, 3, 7, 1023)},
    }
    reference = rectify
    flops_per_element = 0  # a comparison is no floating-point operation

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 4)
        return (self.inputs["data"],)

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int8."""
        return ("int8",)


def pool(data: Array) -> Array:
    """Return the maximum of each window of 2 x 2."""
    n, c, h, w = data.shape
    return data.reshape(n, c, h // 2, 2, w // 2, 2).max(axis=(3, 5))


class QuantizedMaxPool2D(QuantizedReLU):
    """Maximum pooling of int8 images over windows of 2 x 2."""

    sizes = {**QuantizedReLU.sizes, "skewed": {"data": (1, 3, 6, 1022)}}
    reference = pool

    def outputs(self) -> tuple[Shape, ...]:
        """Return half the size."""
        self.require_rank("data", 4)
        batch, channels, height, width = self.inputs["data"]
        even = height % 2 == width % 2 == 0
        self.require(even, "data", "must have an even height and width")
        return ((batch, channels, height // 2, width // 2),)
