"""Dense layers and matrix products with what follows them, fused and unfused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from opperf.core.tensors.tensor import FLOATS, Tensor
from opperf.declaring.composition import part_of
from opperf.operators.activation.activation import GELU
from opperf.operators.activation.rectifier import ReLU
from opperf.operators.arithmetic.arithmetic import Add
from opperf.operators.fused.fused import WithActivation, far_from_zero, weights
from opperf.operators.gemm.gemm import Dense, dense, dense_gradient
from opperf.operators.gemm.scaled import Gemm
from opperf.operators.gemm.transposed import DotRightTransposed
from opperf.operators.softmax.softmax import Softmax

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.declaration import Declaration


def affine(rows: int, features: int, units: int) -> dict[str, Shape]:
    """Return the shapes of one layer."""
    return {"data": (rows, features), "weight": (units, features), "bias": (units,)}


class DenseReLU(WithActivation, Dense):
    """ReLU(data @ weight^T + bias).

    Typical is a projection of BERT-base, for 512 tokens; skewed has too few features to be
    compute-bound.
    """

    last = ReLU
    sizes = {
        "small": affine(64, 64, 64),
        "typical": affine(512, 768, 768),
        "large": affine(2048, 2048, 2048),
        "skewed": affine(10000, 10, 100),
    }

    def domains(self) -> Mapping[str, Tensor]:
        """Return the tensors, with a bias that decides the sign of every sum."""
        return {**self.tensors, "bias": far_from_zero(self.inputs["weight"])}


class DenseGELU(WithActivation, Dense):
    """GELU(data @ weight^T + bias).

    Typical is the first layer of BERT-base's feed-forward part, for 128 tokens.
    """

    last = GELU
    tensors = {**Dense.tensors, "weight": weights()}
    sizes = {
        "small": affine(16, 64, 128),
        "typical": affine(128, 768, 3072),
        "large": affine(1024, 768, 3072),
        "skewed": affine(9973, 13, 17),
    }


class DenseSoftmax(WithActivation, Dense):
    """softmax(data @ weight^T + bias) of each row.

    Typical is ResNet-50's classifier, for 32 images; skewed a classifier of two classes.
    """

    last = Softmax
    tensors = {**Dense.tensors, "weight": weights()}
    sizes = {
        "small": affine(16, 64, 10),
        "typical": affine(32, 2048, 1000),
        "large": affine(512, 2048, 1000),
        "skewed": affine(9973, 13, 2),
    }


class DenseBias(Dense):
    """data @ weight^T + bias: by one call, or by a product and an addition.

    Typical is a projection of BERT-base, for 128 tokens.
    """

    fusable = True
    dtypes = FLOATS
    tags = ()
    sizes = {
        "small": affine(16, 48, 64),
        "typical": affine(128, 768, 768),
        "large": affine(4096, 768, 768),
        "skewed": affine(9973, 13, 19),
    }

    def parts(self) -> tuple[Declaration, ...]:
        """Return the product and the sum."""
        product = part_of(
            self, DotRightTransposed, lhs=self.inputs["data"], rhs=self.inputs["weight"]
        )
        return product, part_of(self, Add, lhs=self.outputs()[0], rhs=self.inputs["bias"])


def dense_add(data: Array, weight: Array, bias: Array, residual: Array) -> Array:
    """Return data @ weight^T + bias + residual."""
    return dense(data, weight, bias) + residual


def dense_add_gradient(
    cotangents: Sequence[Array], data: Array, weight: Array, bias: Array, residual: Array
) -> tuple[Array, Array, Array, Array]:
    """Return the gradients by data, weight, bias and residual."""
    del residual  # its gradient does not depend on it
    return *dense_gradient(cotangents, data, weight, bias), cotangents[0]


class DenseAdd(Dense):
    """data @ weight^T + bias + residual.

    Typical is the second layer of BERT-base's feed-forward part, for 128 tokens.
    """

    fusable = True
    dtypes = FLOATS
    tags = ()
    tensors = {**Dense.tensors, "residual": Tensor()}
    sizes = {
        size: {**affine(rows, features, units), "residual": (rows, units)}
        for size, (rows, features, units) in {
            "small": (16, 64, 64),
            "typical": (128, 3072, 768),
            "large": (1024, 3072, 768),
            "skewed": (9973, 13, 17),
        }.items()
    }
    reference: ClassVar[Any] = dense_add
    gradient: ClassVar[Any] = dense_add_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows, units)."""
        shapes = super().outputs()
        fits = self.inputs["residual"] == shapes[0]
        self.require(fits, "residual", f"must be {shapes[0]}, the layer's result")
        return shapes

    def parts(self) -> tuple[Declaration, ...]:
        """Return the layer and the sum."""
        layer = part_of(self, Dense, **{name: self.inputs[name] for name in Dense.tensors})
        residual = self.inputs["residual"]
        return layer, part_of(self, Add, lhs=residual, rhs=residual)


class GemmReLU(WithActivation, Gemm):
    """ReLU(alpha * lhs @ rhs + beta * bias).

    Sizes are those of Gemm, a projection of BERT-base.
    """

    last = ReLU

    def domains(self) -> Mapping[str, Tensor]:
        """Return the tensors, with a bias that decides the sign of every sum."""
        return {**self.tensors, "bias": far_from_zero(self.inputs["lhs"])}


class GemmGELU(WithActivation, Gemm):
    """GELU(alpha * lhs @ rhs + beta * bias).

    Sizes are those of Gemm, a projection of BERT-base.
    """

    last = GELU
    tensors = {**Gemm.tensors, "lhs": weights()}
