"""Dropout, checked by the values kept, their share, and equal masks forward and backward."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.random.random import near

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.checking.check import Check
    from opperf.core.checking.correctness import Comparison
    from opperf.core.tensors.tensor import Array, Shape


def dropout(data: Array, *, p: float) -> Array:
    """Return the data: inference drops nothing."""
    del p
    return data


def dropout_training(data: Array, *, p: float) -> Array:
    """Return data / (1 - p), the value of the elements that are kept."""
    return data / (1 - p)


def dropout_gradient(cotangents: Sequence[Array], data: Array, *, p: float) -> tuple[Array]:
    """Return cotangent / (1 - p), for the elements that are kept."""
    del data
    return (cotangents[0] / (1 - p),)


class DropoutOperator(Declaration, abstract=True):
    """An operator that drops elements with probability `p` in training."""

    training_mode = True

    def check_outputs(self, check: Check[Sequence[Array]]) -> Comparison:
        """Compare the elements kept, and in training their share."""
        actual, expected = check.actual[0], check.expected[0]
        if not check.training or actual.shape != expected.shape:
            return self.compare_outputs(check.actual, check.expected)
        keep_mask = self.keep_mask(actual, check.arrays)
        scaled = self.compare_outputs(check.actual, [np.where(keep_mask, expected, actual)])
        return scaled.worst(self.share(keep_mask[check.arrays[0] != 0]))

    def keep_mask(self, output: Array, arrays: Sequence[Array]) -> Array:
        """Return where the output differs from that of a dropped element."""
        del arrays  # whatever they are, that is zero
        return output != 0

    def share(self, keep_mask: Array) -> Comparison:
        """Compare the share of kept elements with 1 - p."""
        p = self.inputs["p"]
        return near(
            "share of elements kept", keep_mask.mean(), 1 - p, sqrt(p * (1 - p) / keep_mask.size)
        )


class Dropout(DropoutOperator):
    """data * mask / (1 - p) in training, with mask ~ Bernoulli(1 - p); data in inference.

    Inference is the identity, which a framework may pass through or copy; a factor 1 / (1 - p) held
    in float32 is exact for the default. Typical is VGG-16's first hidden layer, for 256 images.
    """

    tensors = {"data": Tensor()}
    attributes = {"p": 0.5}
    sizes = {
        "small": {"data": (64, 64)},
        "typical": {"data": (256, 4096)},
        "large": {"data": (4096, 4096)},
        "skewed": {"data": (10000, 1)},
    }
    reference = dropout
    training_reference = dropout_training
    gradient = dropout_gradient
    tags: ClassVar[tuple[str, ...]] = ("core",)
    flops_per_element = 0  # none, as in inference

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(0 <= self.inputs["p"] < 1, "p", "must lie in [0, 1)")
        return (self.inputs["data"],)

    def counts(self) -> dict[str, tuple[int | None, int | None]]:
        """Return no bytes in inference: the identity need not move any."""
        return {**super().counts(), "forward": (0, 0)}

    def check_gradients(self, check: Check[Mapping[str, Array]]) -> Comparison:
        """Compare where the output was kept; elsewhere the gradient is zero."""
        ((name, gradient),) = check.actual.items()
        keep_mask = gradient != 0
        if check.outputs is not None:
            by_generator = self.keep_mask(check.outputs[0], check.arrays)
            keep_mask = np.where(check.arrays[0] == 0, keep_mask, by_generator)
        right = {name: np.where(keep_mask, check.expected[name], 0)}
        scaled = super().check_gradients(replace(check, expected=right))
        return scaled.worst(self.share(keep_mask))
