"""Losses that compare vectors with each other.

Typical are 256 embeddings of 512 features, as in FaceNet's batches.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.loss.pairs import SIGN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


EMBEDDINGS = {
    "small": (16, 32),
    "typical": (256, 512),
    "large": (4096, 1024),
    "skewed": (10007, 3),
}

FLOATS = ("float64", "float32")


def triplet(anchor: Array, positive: Array, negative: Array) -> Array:
    """max(0, ||anchor - positive||^2 - ||anchor - negative||^2 + 1)."""
    near, far = ((anchor - other) ** 2 for other in (positive, negative))
    return np.maximum((near - far).sum(axis=1) + 1, 0)


def triplet_gradient(
    cotangents: Sequence[Array], anchor: Array, positive: Array, negative: Array
) -> tuple[Array, Array, Array]:
    """Differentiate the squared distances where the loss is positive."""
    cotangent = 2 * np.where(triplet(anchor, positive, negative) > 0, cotangents[0], 0)[:, None]
    by_positive, by_negative = cotangent * (positive - anchor), cotangent * (anchor - negative)
    return -by_positive - by_negative, by_positive, by_negative


class Triplets(Declaration, abstract=True):
    """A loss of anchors, positives (which should be near) and negatives (which should not)."""

    tensors = {"anchor": Tensor(), "positive": Tensor(), "negative": Tensor()}
    sizes = {
        size: {"anchor": shape, "positive": shape, "negative": shape}
        for size, shape in EMBEDDINGS.items()
    }
    dtypes = FLOATS
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value per sample."""
        self.require_rank("anchor", 2)
        shape = self.inputs["anchor"]
        for name in self.tensors:
            self.require(self.inputs[name] == shape, name, f"must be {shape}, as anchor is")
        return (shape[:1],)

    def flop_count(self) -> int:
        """Return six operations per feature."""
        return 6 * prod(self.inputs["anchor"])


class TripletLoss(Triplets):
    """max(0, ||anchor - positive||^2 - ||anchor - negative||^2 + 1) (Schroff et al. 2015)."""

    reference = triplet
    gradient = triplet_gradient


def distance(one: Array, other: Array) -> Array:
    """||lhs - rhs + 1e-6||, row by row."""
    return np.sqrt(((one - other + 1e-6) ** 2).sum(axis=1))


def triplet_margin(anchor: Array, positive: Array, negative: Array) -> Array:
    """max(0, ||anchor - positive|| - ||anchor - negative|| + 1)."""
    return np.maximum(distance(anchor, positive) - distance(anchor, negative) + 1, 0)


def triplet_margin_gradient(
    cotangents: Sequence[Array], anchor: Array, positive: Array, negative: Array
) -> tuple[Array, Array, Array]:
    """Differentiate the distances where the loss is positive."""
    cotangent = np.where(triplet_margin(anchor, positive, negative) > 0, cotangents[0], 0)[:, None]
    near = cotangent * (anchor - positive + 1e-6) / distance(anchor, positive)[:, None]
    far = cotangent * (anchor - negative + 1e-6) / distance(anchor, negative)[:, None]
    return near - far, -near, far


class TripletMarginLoss(Triplets):
    """max(0, ||anchor - positive|| - ||anchor - negative|| + 1)."""

    reference = triplet_margin
    gradient = triplet_margin_gradient


def cosine_embedding(lhs: Array, rhs: Array, label: Array) -> Array:
    """Return label = 1 ? 1 - cos : max(0, cos), as a column."""
    lengths = np.linalg.norm(lhs, axis=1) * np.linalg.norm(rhs, axis=1)
    cosine = (lhs * rhs).sum(axis=1) / lengths
    return np.where(label > 0, 1 - cosine, np.maximum(cosine, 0))[:, None]


class CosineEmbeddingLoss(Declaration):
    """label = 1 ? 1 - cos : max(0, cos), with cos the cosine between two vectors."""

    tensors = {"lhs": Tensor(), "rhs": Tensor(), "label": SIGN}
    sizes = {
        size: {"lhs": shape, "rhs": shape, "label": shape[:1]} for size, shape in EMBEDDINGS.items()
    }
    reference = cosine_embedding
    dtypes = FLOATS
    tolerance = CANCELING_SUMS.with_atol(
        "a framework may add 1e-12 to the squared lengths", float64=1e-9
    )
    gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return a column of one value per sample."""
        self.require_rank("lhs", 2)
        shape = self.inputs["lhs"]
        self.require(self.inputs["rhs"] == shape, "rhs", f"must be {shape}, as lhs is")
        self.require(self.inputs["label"] == shape[:1], "label", f"must be {shape[:1]}")
        return ((shape[0], 1),)

    def flop_count(self) -> int:
        """Return a multiplication and an addition per feature of three products."""
        return 6 * prod(self.inputs["lhs"])


def margin_ranking(lhs: Array, rhs: Array, label: Array) -> Array:
    """max(0, -label * (lhs - rhs))."""
    return np.maximum(-label * (lhs - rhs), 0)


class MarginRankingLoss(Declaration):
    """max(0, -label * (lhs - rhs)), with labels of 1 or -1.

    lhs is always greater here: the label alone decides, and no two are equal, where the loss has a
    kink.
    """

    tensors = {"lhs": Tensor(low=1.5, high=2.5), "rhs": Tensor(low=-1, high=1), "label": SIGN}
    sizes = {
        size: dict.fromkeys(("lhs", "rhs", "label"), (count,))
        for size, count in {
            "small": 256,
            "typical": 1048576,
            "large": 16777216,
            "skewed": 3,
        }.items()
    }
    reference = margin_ranking
    elementwise = True
    flops_per_element = 2  # two operations a pair

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value per pair."""
        shape = self.inputs["lhs"]
        for name in self.tensors:
            self.require(self.inputs[name] == shape, name, f"must be {shape}, as lhs is")
        return (shape,)
