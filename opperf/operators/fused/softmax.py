"""Fused operators around a softmax: scaled and masked scores, and cross-entropy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.declaring.composition import Composition, part_of
from opperf.operators.arithmetic.arithmetic import Negative
from opperf.operators.arithmetic.scalars import MultiplyScalar
from opperf.operators.indexing.elements import Pick
from opperf.operators.loss.classes import SoftmaxCrossEntropyLoss, class_loss, class_loss_gradient
from opperf.operators.reduction.reduction import Sum
from opperf.operators.softmax.softmax import (
    LogSoftmax,
    MaskedSoftmax,
    masked_softmax,
    masked_softmax_gradient,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.declaration import Declaration


def scale_mask_softmax(data: Array, mask: Array, *, axis: int, scale: float) -> Array:
    """Return softmax(data * scale) over the positions that the mask leaves."""
    return masked_softmax(data * scale, mask, axis=axis)


def scale_mask_softmax_gradient(
    cotangents: Sequence[Array], data: Array, mask: Array, *, axis: int, scale: float
) -> tuple[Array]:
    """Return the gradient by data."""
    return (masked_softmax_gradient(cotangents, data * scale, mask, axis=axis)[0] * scale,)


class ScaleMaskSoftmax(Composition, MaskedSoftmax):
    """softmax(data * scale) over the positions that mask leaves, as in attention.

    Typical are the scores of BERT-base's 12 heads, scaled by 1 / sqrt(64 features), with a mask
    that leaves out about half.
    """

    attributes = {"axis": -1, "scale": 0.125}
    reference: ClassVar[Any] = scale_mask_softmax
    gradient: ClassVar[Any] = scale_mask_softmax_gradient

    def parts(self) -> tuple[Declaration, ...]:
        """Return the product and the softmax with its mask."""
        shape, mask, axis = (self.inputs[name] for name in ("data", "mask", "axis"))
        return (
            part_of(self, MultiplyScalar, data=shape, scalar=self.inputs["scale"]),
            part_of(self, MaskedSoftmax, data=shape, mask=mask, axis=axis),
        )


def total_loss(pred: Array, label: Array) -> Array:
    """Return the sum over samples of -log(softmax(pred)[label])."""
    return class_loss(pred, label).sum(axis=0, keepdims=True)


def total_loss_gradient(cotangents: Sequence[Array], pred: Array, label: Array) -> tuple[Array]:
    """Return the gradient by pred."""
    return class_loss_gradient([np.broadcast_to(cotangents[0], label.shape)], pred, label)


class SoftmaxCrossEntropy(Composition, SoftmaxCrossEntropyLoss):
    """Sum over samples of -log(softmax(pred)[label]).

    Logits are (samples, classes), labels int64. Fused in one call; unfused as log-softmax, the
    labels' elements, their sum and its negative.
    """

    reference = total_loss
    gradient = total_loss_gradient
    tags = ()

    def parts(self) -> tuple[Declaration, ...]:
        """Return the log-softmax, the labels' elements, their sum and its negative."""
        scores, labels = self.inputs["pred"], self.inputs["label"]
        return (
            part_of(self, LogSoftmax, data=scores, axis=-1),
            part_of(self, Pick, data=scores, index=labels),
            part_of(self, Sum, data=(1, *labels), axis=-1),
            part_of(self, Negative, data=(1,)),
        )

    def outputs(self) -> tuple[Shape, ...]:
        """Return (1,)."""
        super().outputs()
        return ((1,),)
