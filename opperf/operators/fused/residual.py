"""Fused operators that end a residual block: a sum, then a ReLU or a normalization."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.checking.derivative import unbroadcast
from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.composition import part_of
from opperf.declaring.declaration import Declaration
from opperf.declaring.elementwise import Binary
from opperf.operators.arithmetic.arithmetic import Add
from opperf.operators.fused.fused import relu_after, relu_gradient_of, relu_of
from opperf.operators.normalization.standardization import (
    LayerNorm,
    layer_norm,
    layer_norm_gradient,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def add(lhs: Array, rhs: Array) -> Array:
    """Return lhs + rhs."""
    return lhs + rhs


def add_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Return the gradients by both tensors."""
    return unbroadcast(cotangents[0], lhs.shape), unbroadcast(cotangents[0], rhs.shape)


class AddReLU(Binary):
    """ReLU(lhs + rhs), as at the end of a residual block."""

    fusable = True
    reference = relu_of(add)
    gradient = relu_gradient_of(add, add_gradient)
    flops_per_element = 2  # two operations: sum and maximum

    def parts(self) -> tuple[Declaration, ...]:
        """Return the sum and the ReLU."""
        return part_of(self, Add, **self.shapes), relu_after(self)


def layer_norm_residual(
    data: Array, residual: Array, gamma: Array, beta: Array, *, eps: float
) -> Array:
    """Return layer_norm(data + residual) (Ba et al. 2016)."""
    return layer_norm(data + residual, gamma, beta, eps=eps)


def layer_norm_residual_gradient(
    cotangents: Sequence[Array],
    data: Array,
    residual: Array,
    gamma: Array,
    beta: Array,
    *,
    eps: float,
) -> tuple[Array, Array, Array, Array]:
    """Return the gradients by data, residual, gamma and beta."""
    found = layer_norm_gradient(cotangents, data + residual, gamma, beta, eps=eps)
    return found[0], *found


class LayerNormResidual(Declaration):
    """layer_norm(data + residual), as at the end of a block of BERT.

    Typical is BERT-base on 512 tokens; skewed has rows of little more than two cache lines.
    """

    fusable = True
    tensors = {
        "data": Tensor(),
        "residual": Tensor(),
        "gamma": Tensor(low=0.5, high=1.5),
        "beta": Tensor(),
    }
    attributes = {"eps": 1e-5}
    sizes = {
        size: {"data": shape, "residual": shape, "gamma": shape[-1:], "beta": shape[-1:]}
        for size, shape in {
            "small": (32, 128),
            "typical": (512, 768),
            "large": (4096, 1024),
            "skewed": (1021, 33),
        }.items()
    }
    reference = layer_norm_residual
    gradient = layer_norm_residual_gradient
    tolerance = CANCELING_SUMS.because("what is near the mean is a difference from it")
    gradient_tolerance = tolerance
    flops_per_element = 9  # a sum, mean, variance (3), quotient, scale, shift

    def parts(self) -> tuple[Declaration, ...]:
        """Return the sum and the normalization."""
        shape = self.inputs["data"]
        scaled = {name: self.inputs[name] for name in ("gamma", "beta", "eps")}
        total = part_of(self, Add, lhs=shape, rhs=self.inputs["residual"])
        return total, part_of(self, LayerNorm, data=shape, **scaled)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        shape = self.inputs["data"]
        self.require_least_rank("data", 2)
        self.require(self.inputs["residual"] == shape, "residual", f"must be {shape}, as data is")
        for name in ("gamma", "beta"):
            self.require(self.inputs[name] == shape[-1:], name, f"must be {shape[-1:]}")
        self.require(self.inputs["eps"] > 0, "eps", "must be positive")
        return (shape,)
