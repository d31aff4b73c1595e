"""Fused chains of element-wise operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.checking.derivative import unbroadcast
from opperf.core.checking.tolerance import CANCELING_SUMS, CANCELING_TERMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.composition import Composition, part_of
from opperf.operators.activation.activation import GELU, gelu, gelu_slope
from opperf.operators.arithmetic.arithmetic import Add, Multiply
from opperf.operators.fused.fused import relu_after, relu_gradient_of, relu_of
from opperf.operators.loss.pairs import signs

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.declaration import Declaration


def gated_add(data: Array, gate: Array, residual: Array) -> Array:
    """Return data * gate + residual."""
    return data * gate + residual


def gated_add_gradient(
    cotangents: Sequence[Array], data: Array, gate: Array, residual: Array
) -> tuple[Array, Array, Array]:
    """Return the gradients by data, gate and residual."""
    del residual  # its gradient does not depend on it
    return cotangents[0] * gate, unbroadcast(cotangents[0] * data, gate.shape), cotangents[0]


def far_off(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw -8 or 8, larger than any product, so that rounding never decides a ReLU."""
    return 8 * signs(random, shape, low, high)


class GatedAddReLU(Composition):
    """ReLU(data * gate + residual), as at the end of a block of SE-ResNet.

    Hu et al. 2018: each channel has a gate, which a sigmoid keeps between 0 and 1. Typical is the
    first stage of SE-ResNet-50, for 2 images; skewed has few pixels.
    """

    tensors = {
        "data": Tensor(),
        "gate": Tensor(low=0, high=1),
        "residual": Tensor(initializer=far_off),
    }
    sizes = {
        size: {"data": shape, "gate": (*shape[:2], 1, 1), "residual": shape}
        for size, shape in {
            "small": (2, 8, 8, 8),
            "typical": (2, 256, 56, 56),
            "large": (8, 256, 56, 56),
            "skewed": (1, 1021, 1, 7),
        }.items()
    }
    reference = relu_of(gated_add)
    gradient = relu_gradient_of(gated_add, gated_add_gradient)
    gradient_tolerance = CANCELING_SUMS

    def parts(self) -> tuple[Declaration, ...]:
        """Return the product, the sum and the ReLU."""
        shape, residual = self.inputs["data"], self.inputs["residual"]
        product = part_of(self, Multiply, lhs=shape, rhs=self.inputs["gate"])
        return product, part_of(self, Add, lhs=shape, rhs=residual), relu_after(self)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 4)
        shape = self.inputs["data"]
        gates = (*shape[:2], 1, 1)
        self.require(self.inputs["gate"] == gates, "gate", f"must be {gates}, one a channel")
        self.require(self.inputs["residual"] == shape, "residual", f"must be {shape}, as data is")
        return (shape,)


def bias_gelu(data: Array, bias: Array) -> Array:
    """Return GELU(data + bias)."""
    return gelu(data + bias)


def bias_gelu_gradient(
    cotangents: Sequence[Array], data: Array, bias: Array
) -> tuple[Array, Array]:
    """Return the gradients by data and bias."""
    by_total = cotangents[0] * gelu_slope(data + bias)
    return by_total, unbroadcast(by_total, bias.shape)


class BiasGELU(Composition):
    """GELU(data + bias), as in BERT's feed-forward part.

    Typical is BERT-base on 512 tokens; skewed has rows of little more than two cache lines.
    """

    tensors = {"data": Tensor(), "bias": Tensor()}
    sizes = {
        size: {"data": shape, "bias": shape[-1:]}
        for size, shape in {
            "small": (32, 128),
            "typical": (512, 3072),
            "large": (2048, 4096),
            "skewed": (1021, 33),
        }.items()
    }
    reference = bias_gelu
    gradient = bias_gelu_gradient
    tolerance = CANCELING_TERMS.because("1 + erf(x) where erf(x) is nearly -1")
    gradient_tolerance = CANCELING_SUMS

    def parts(self) -> tuple[Declaration, ...]:
        """Return the sum and the activation."""
        shape = self.inputs["data"]
        total = part_of(self, Add, lhs=shape, rhs=self.inputs["bias"])
        return total, part_of(self, GELU, data=shape)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 2)
        features = self.inputs["data"][1:]
        self.require(self.inputs["bias"] == features, "bias", f"must be {features}")
        return (self.inputs["data"],)
