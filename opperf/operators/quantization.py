"""Eight bits instead of floating-point numbers, with one scale a tensor and no offset.

A number x becomes the whole number next to 127.5 x / limit. Data to be quantized lie well inside of
their steps: a float32 near the edge of one may be rounded to either side. What is measured is
float32; int8 and int32 tensors are what they are.
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
"""A weight in which every processor is right. Without VNNI, x86 adds two products of eight bits in
sixteen and stops at 32767; the other factor is shifted to 0..255 first, and 2 * 255 * 63 is less.
docs/method.md, "Eight bits", has what a weight of the full range does where.
"""


def within_steps(limit: float) -> Initializer:
    """Return what draws values near the middle of their steps."""

    def draw(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
        del low, high
        steps = random.integers(1 - LEVELS, LEVELS, shape) + random.uniform(-0.25, 0.25, shape)
        return steps * limit / RANGE

    return draw


class Quantizing(Declaration, abstract=True):
    """A conversion between eight bits and floating-point numbers."""

    tensors = {"data": Tensor()}
    attributes = {"limit": 4.0}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        size: {"data": shape} for size, shape in SHAPES.items()
    }
    dtypes = ("float32",)
    differentiable = False
    flops_per_element = 1  # a product

    def domains(self) -> Mapping[str, Tensor]:
        """Return values near the middle of their steps."""
        return {"data": Tensor(initializer=within_steps(self.inputs["limit"]))}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(self.inputs["limit"] > 0, "limit", "must be positive")
        return (self.inputs["data"],)


def quantize(data: Array, *, limit: float) -> Array:
    """Return the nearest whole number of steps."""
    return np.rint(data * (RANGE / limit)).clip(-LEVELS, LEVELS).astype(np.int8)


class Quantize(Quantizing):
    """Floating-point numbers between -limit and limit as int8."""

    reference = quantize

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int8."""
        return ("int8",)


def dequantize(data: Array, *, limit: float) -> Array:
    """Return so many steps."""
    return data.astype(np.float32) * np.float32(limit / RANGE)


class Dequantize(Quantizing):
    """The floating-point numbers that int8 stand for."""

    tensors = {"data": EIGHT}
    reference = dequantize

    def domains(self) -> Mapping[str, Tensor]:
        """Return all whole numbers but the least."""
        return self.tensors


def fake_quantize(data: Array, *, limit: float) -> Array:
    """Return what is left of each number."""
    return np.rint(data * (RANGE / limit)).clip(-LEVELS - 1, LEVELS) * (limit / RANGE)


class FakeQuantize(Quantizing):
    """What int8 would leave of each number, as in training for quantization.

    Only the forward: the backward hands its gradient through, which is no derivative.
    """

    reference = fake_quantize


class FakeQuantizeChannels(FakeQuantize):
    """The same with a scale a row, all of which are equal here."""


class Products(Declaration, abstract=True):
    """An operator on int8 tensors alone."""

    dtypes = ("float32",)
    differentiable = False


def quantized_dense(data: Array, weight: Array) -> Array:
    """Multiply whole numbers by the transposed weight."""
    return (data.astype(np.float64) @ weight.T.astype(np.float64)).astype(np.int32)


class QuantizedDense(Products):
    """An int8 matrix times a transposed int8 weight, in int32, without scales.

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
        """Return rows by units."""
        self.require_rank("data", 2)
        self.require_rank("weight", 2)
        (rows, features), (units, found) = self.inputs["data"], self.inputs["weight"]
        self.require(found == features, "weight", f"must have {features} columns, as data has")
        return ((rows, units),)

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int32."""
        return ("int32",)

    def flop_count(self) -> int:
        """Return the whole-number operations of the product."""
        return 2 * prod(self.inputs["weight"]) * int(self.inputs["data"][0])


def requantize(data: Array, *, scale: float) -> Array:
    """Return the nearest whole numbers of the products by scale."""
    return np.rint(data * scale).clip(-LEVELS, LEVELS).astype(np.int8)


class Requantize(Products):
    """The int8 nearest to int32 times a scale, a power of two, as after a product of int8.

    Those that are filled in are not negative.
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
    """Return max(x, 0)."""
    return np.maximum(data, 0)


class QuantizedRelu(Products):
    """The int8 that are not negative, zeros else."""

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
    """Return the largest of each window of two by two."""
    n, c, h, w = data.shape
    return data.reshape(n, c, h // 2, 2, w // 2, 2).max(axis=(3, 5))


class QuantizedMaxPool2D(QuantizedRelu):
    """The largest int8 of each window of two by two."""

    sizes = {**QuantizedRelu.sizes, "skewed": {"data": (1, 3, 6, 1022)}}
    reference = pool

    def outputs(self) -> tuple[Shape, ...]:
        """Return half the size."""
        self.require_rank("data", 4)
        batch, channels, height, width = self.inputs["data"]
        even = height % 2 == width % 2 == 0
        self.require(even, "data", "must have an even height and width")
        return ((batch, channels, height // 2, width // 2),)
