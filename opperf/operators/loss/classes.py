"""Classification losses of class scores and labels.

Sizes are those of SoftmaxCrossEntropyLoss, unless a docstring says otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.accumulation import EXPONENTIALS
from opperf.declaring.declaration import Declaration
from opperf.operators.loss.pairs import signs
from opperf.operators.loss.vectors import FLOATS
from opperf.operators.softmax.softmax import log_softmax, softmax

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape


class ClassificationLoss(Declaration, abstract=True):
    """A loss of rows of class scores and int64 labels."""

    tensors = {"pred": Tensor(), "label": Tensor(dtype="int64", low=0, differentiable=False)}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "small": {"pred": (32, 64), "label": (32,)},
        "typical": {"pred": (256, 1000), "label": (256,)},
        "large": {"pred": (512, 30522), "label": (512,)},
        "skewed": {"pred": (10000, 10), "label": (10000,)},
    }
    work: ClassVar[int]

    def domains(self) -> Mapping[str, Tensor]:
        """Return labels below the number of classes."""
        label = replace(self.tensors["label"], high=self.inputs["pred"][1] - 1)
        return {**self.tensors, "label": label}

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value per sample."""
        self.require_rank("pred", 2)
        shape = self.inputs["pred"][:1]
        self.require(self.inputs["label"] == shape, "label", f"must be {shape}, one a sample")
        return (shape,)

    def flop_count(self) -> int:
        """Return the operations of the formula per score."""
        return self.work * prod(self.inputs["pred"])


def class_loss(pred: Array, label: Array) -> Array:
    """Return -log(softmax(pred)[label])."""
    logarithms = log_softmax(pred, axis=-1)
    result: Array = -np.take_along_axis(logarithms, label[:, None], axis=-1)[:, 0]
    return result


def class_loss_gradient(cotangents: Sequence[Array], pred: Array, label: Array) -> tuple[Array]:
    """Return cotangent * (softmax(pred) - onehot(label))."""
    slope = softmax(pred, axis=-1)
    slope[np.arange(len(label)), label] -= 1
    return (cotangents[0][:, None] * slope,)


class SoftmaxCrossEntropyLoss(ClassificationLoss):
    """-log(softmax(pred)[label]) per sample, for logits and int64 labels.

    Typical is ImageNet's 1000 classes for 256 images; large BERT-base's vocabulary for 512 tokens;
    skewed CIFAR-10's test set at once.
    """

    sizes = {**ClassificationLoss.sizes, "small": {"pred": (32, 128), "label": (32,)}}
    reference = class_loss
    gradient = class_loss_gradient
    tags: ClassVar[tuple[str, ...]] = ("core",)
    tolerance = gradient_tolerance = EXPONENTIALS

    def flop_count(self) -> int:
        """Return four operations per logit: maximum, difference, exponential and sum."""
        return 4 * prod(self.inputs["pred"])


def nll(pred: Array, label: Array) -> Array:
    """Return -pred[label]."""
    return -np.take_along_axis(pred, label[:, None], 1)[:, 0]


def nll_gradient(cotangents: Sequence[Array], pred: Array, label: Array) -> tuple[Array]:
    """Return -cotangent * onehot(label)."""
    result = np.zeros_like(pred)
    np.put_along_axis(result, label[:, None], -cotangents[0][:, None], 1)
    return (result,)


class NLLLoss(ClassificationLoss):
    """-pred[label] per sample, for log-probabilities."""

    work = 0
    part_read = {"pred": "the label's in each row"}
    reference = nll
    gradient = nll_gradient


def multi_margin(pred: Array, label: Array) -> Array:
    """sum(max(0, 1 - pred[label] + pred[other])) / classes (Weston 1999)."""
    gaps = np.maximum(1 + nll(pred, label)[:, None] + pred, 0)
    np.put_along_axis(gaps, label[:, None], 0, 1)
    return gaps.mean(axis=1)


def multi_margin_gradient(cotangents: Sequence[Array], pred: Array, label: Array) -> tuple[Array]:
    """Differentiate the terms with a violated margin."""
    near = (1 + nll(pred, label)[:, None] + pred > 0).astype(float)
    np.put_along_axis(near, label[:, None], 0, 1)
    np.put_along_axis(near, label[:, None], -near.sum(axis=1, keepdims=True), 1)
    return (cotangents[0][:, None] * near / pred.shape[1],)


class MultiMarginLoss(ClassificationLoss):
    """sum(max(0, 1 - pred[label] + pred[other])) / classes, per sample."""

    work = 3
    dtypes = FLOATS
    reference = multi_margin
    gradient = multi_margin_gradient


def ones_and_zeros(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw 0 or 1."""
    return (signs(random, shape, low, high) + 1) / 2


def multilabel_soft_margin(pred: Array, label: Array) -> Array:
    """Return each sample's mean binary cross-entropy of logits."""
    return (np.logaddexp(0, pred) - label * pred).mean(axis=1)


def multilabel_soft_margin_gradient(
    cotangents: Sequence[Array], pred: Array, label: Array
) -> tuple[Array]:
    """Return cotangent * (sigmoid(pred) - label) / classes."""
    return (cotangents[0][:, None] * ((1 + np.tanh(pred / 2)) / 2 - label) / pred.shape[1],)


class MultiLabelSoftMarginLoss(Declaration):
    """The mean binary cross-entropy of multi-label logits, per sample.

    Typical are COCO's 80 classes, for 256 images.
    """

    tensors = {
        "pred": Tensor(),
        "label": Tensor(low=0, high=1, differentiable=False, initializer=ones_and_zeros),
    }
    sizes = {
        size: {"pred": shape, "label": shape}
        for size, shape in {
            "small": (16, 80),
            "typical": (256, 80),
            "large": (8192, 1000),
            "skewed": (10007, 3),
        }.items()
    }
    reference = multilabel_soft_margin
    gradient = multilabel_soft_margin_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value per sample."""
        self.require_rank("pred", 2)
        shape = self.inputs["pred"]
        self.require(self.inputs["label"] == shape, "label", f"must be {shape}, as pred is")
        return (shape[:1],)

    def flop_count(self) -> int:
        """Return nine operations per element."""
        return 9 * prod(self.inputs["pred"])
