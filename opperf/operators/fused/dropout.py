"""Fused operators that contain a dropout, checked by the mask that their outputs show.

Inference drops nothing. The probability is Dropout's, as its factor must be exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.checking.derivative import unbroadcast
from opperf.core.checking.tolerance import CANCELING_SUMS, CANCELING_TERMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.accumulation import EXPONENTIALS
from opperf.declaring.composition import Composition, part_of
from opperf.operators.arithmetic.arithmetic import Add
from opperf.operators.random.dropout import Dropout, DropoutOperator
from opperf.operators.softmax.softmax import Softmax, softmax, softmax_gradient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.declaration import Declaration


def softmax_inference(data: Array, *, p: float) -> Array:
    """Return softmax(data) of each row."""
    del p
    return softmax(data, axis=-1)


def softmax_dropout(data: Array, *, p: float) -> Array:
    """Return softmax(data) / (1 - p) of each row, with nothing dropped."""
    return softmax(data, axis=-1) / (1 - p)


def softmax_dropout_gradient(cotangents: Sequence[Array], data: Array, *, p: float) -> tuple[Array]:
    """Return the gradient with nothing dropped."""
    return softmax_gradient([cotangents[0] / (1 - p)], data, axis=-1)


def softmax_mask_gradient(
    cotangents: Sequence[Array], outputs: Sequence[Array], data: Array, *, p: float
) -> tuple[Array]:
    """Return the gradient under the mask that these outputs show."""
    return softmax_dropout_gradient([cotangents[0] * (outputs[0] != 0)], data, p=p)


class SoftmaxDropout(Composition, DropoutOperator):
    """dropout(softmax(data)) of each row, as in attention's training.

    Typical are BERT-base's 12 heads of 384 x 384 scores; skewed has long rows.
    """

    tensors = {"data": Tensor()}
    attributes = {"p": 0.5}
    sizes = {
        "small": {"data": (4, 32, 32)},
        "typical": {"data": (12, 384, 384)},
        "large": {"data": (96, 384, 384)},
        "skewed": {"data": (3, 7, 1021)},
    }
    reference = softmax_inference
    training_reference = softmax_dropout
    gradient = softmax_dropout_gradient
    drawn_gradient = softmax_mask_gradient
    tolerance = EXPONENTIALS
    gradient_tolerance = CANCELING_SUMS

    def parts(self) -> tuple[Declaration, ...]:
        """Return the softmax and the dropout."""
        shape = self.inputs["data"]
        dropout = part_of(self, Dropout, data=shape, p=self.inputs["p"])
        return part_of(self, Softmax, data=shape, axis=-1), dropout

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_least_rank("data", 1)
        self.require(0 <= self.inputs["p"] < 1, "p", "must lie in [0, 1)")
        return (self.inputs["data"],)


def sum_inference(data: Array, bias: Array, residual: Array, *, p: float) -> Array:
    """Return data + bias + residual."""
    del p
    return data + bias + residual


def dropout_sum(data: Array, bias: Array, residual: Array, *, p: float) -> Array:
    """Return (data + bias) / (1 - p) + residual, with nothing dropped."""
    return (data + bias) / (1 - p) + residual


def dropout_sum_gradient(
    cotangents: Sequence[Array], data: Array, bias: Array, residual: Array, *, p: float
) -> tuple[Array, Array, Array]:
    """Return the gradients with nothing dropped."""
    return dropout_sum_mask_gradient(cotangents, [data + residual], data, bias, residual, p=p)


def dropout_sum_mask_gradient(
    cotangents: Sequence[Array], outputs: Sequence[Array], data: Array, bias: Array,
    residual: Array, *, p: float,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Return the gradients under the mask that these outputs show."""
    del data  # its gradient does not depend on it
    kept = cotangents[0] * (outputs[0] != residual) / (1 - p)
    return kept, unbroadcast(kept, bias.shape), cotangents[0]


class BiasDropoutAdd(Composition, DropoutOperator):
    """dropout(data + bias) + residual, as at the end of a block of GPT-2.

    data + bias lies between 1 and 5 and the residual within 4 of zero, so that a sum that was kept
    differs from the residual in every dtype. Typical is GPT-2 on 512 tokens; skewed has rows of
    little more than two cache lines.
    """

    tensors = {
        "data": Tensor(low=1, high=4),
        "bias": Tensor(low=0, high=1),
        "residual": Tensor(low=-4, high=4),
    }
    attributes = {"p": 0.5}
    sizes = {
        size: {"data": shape, "bias": shape[-1:], "residual": shape}
        for size, shape in {
            "small": (32, 128),
            "typical": (512, 768),
            "large": (4096, 1024),
            "skewed": (1021, 33),
        }.items()
    }
    reference = sum_inference
    training_reference = dropout_sum
    gradient = dropout_sum_gradient
    drawn_gradient = dropout_sum_mask_gradient
    tolerance = CANCELING_TERMS
    gradient_tolerance = CANCELING_SUMS

    def parts(self) -> tuple[Declaration, ...]:
        """Return the first sum, the dropout and the second sum."""
        shape = self.inputs["data"]
        return (
            part_of(self, Add, lhs=shape, rhs=self.inputs["bias"]),
            part_of(self, Dropout, data=shape, p=self.inputs["p"]),
            part_of(self, Add, lhs=shape, rhs=self.inputs["residual"]),
        )

    def keep_mask(self, output: Array, arrays: Sequence[Array]) -> Array:
        """Return where the output differs from the residual."""
        return output != arrays[2]

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        shape = self.inputs["data"]
        self.require_rank("data", 2)
        self.require(self.inputs["bias"] == shape[1:], "bias", f"must be {shape[1:]}")
        self.require(self.inputs["residual"] == shape, "residual", f"must be {shape}, as data is")
        self.require(0 <= self.inputs["p"] < 1, "p", "must lie in [0, 1)")
        return (shape,)
