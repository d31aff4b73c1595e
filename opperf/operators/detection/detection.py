"""Bounding boxes, as (left, top, right, bottom) corners between 0 and 1.

Typical are SSD300's 8732 anchors. Only the forward is measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


CORNERS = 4

ITEM = 6
"""Numbers a detection: class, score and corners."""


def boxes(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw boxes with left < right and top < bottom."""
    del low, high
    start = random.uniform(0, 0.6, (*shape[:-1], 2))
    return np.concatenate((start, start + random.uniform(0.1, 0.4, start.shape)), -1)


BOX = Tensor(low=0, high=1, differentiable=False, initializer=boxes)


def overlap(lhs: Array, rhs: Array) -> Array:
    """Return intersection over union of each pair."""
    left, right = lhs[:, None], rhs[None]
    start, end = (
        np.maximum(left[..., :2], right[..., :2]),
        np.minimum(left[..., 2:], right[..., 2:]),
    )
    common = np.maximum(end - start, 0).prod(-1)
    areas = [(box[..., 2:] - box[..., :2]).prod(-1) for box in (left, right)]
    return common / (areas[0] + areas[1] - common)


class Detection(Declaration, abstract=True):
    """An operator on boxes, without gradient."""

    dtypes = ("float32",)
    differentiable = False


class BoxIOU(Detection):
    """Intersection over union of each box of lhs with each of rhs.

    Typical compares SSD300's anchors with 32 objects.
    """

    tensors = {"lhs": BOX, "rhs": BOX}
    sizes = {
        size: {"lhs": (n, CORNERS), "rhs": (m, CORNERS)}
        for size, (n, m) in {
            "small": (64, 16),
            "typical": (8732, 32),
            "large": (65536, 128),
            "skewed": (10007, 1),
        }.items()
    }
    reference = overlap
    flops_per_element = 14  # fourteen operations a pair

    def outputs(self) -> tuple[Shape, ...]:
        """Return a value for each pair."""
        for name in ("lhs", "rhs"):
            self.require_rank(name, 2)
            self.require(self.inputs[name][1] == CORNERS, name, f"must have {CORNERS} columns")
        return ((self.inputs["lhs"][0], self.inputs["rhs"][0]),)


def match(data: Array) -> tuple[Array, Array]:
    """Return the matches by the largest score whose row and column are free, until none is left."""
    rows = np.full(data.shape[:2], -1.0)
    columns = np.full((data.shape[0], data.shape[2]), -1.0)
    for at, scores in enumerate(data):
        for place in np.argsort(-scores, axis=None, kind="stable"):
            row, column = divmod(int(place), scores.shape[1])
            if rows[at, row] < 0 and columns[at, column] < 0:
                rows[at, row], columns[at, column] = column, row
    return rows.astype(data.dtype), columns.astype(data.dtype)


class BipartiteMatching(Detection):
    """Greedy bipartite matching of rows and columns by score; -1 if unmatched."""

    tensors = {"data": Tensor(low=0.1, high=1, differentiable=False)}
    sizes = {
        "small": {"data": (2, 16, 8)},
        "typical": {"data": (8, 1024, 16)},
        "large": {"data": (8, 8732, 16)},
        "skewed": {"data": (1, 1009, 1)},
    }
    reference = match
    flops_per_element = 0  # comparisons are no floating-point operations

    def outputs(self) -> tuple[Shape, ...]:
        """Return a column index for each row, and a row index for each column."""
        self.require_rank("data", 3)
        batch, rows, columns = self.inputs["data"]
        return (batch, rows), (batch, columns)


def detections(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw boxes with one of two classes and distinct scores."""
    batch, count, _ = shape
    kinds = random.integers(0, 2, (batch, count, 1))
    scores = np.stack([(random.permutation(count) + 1) / (count + 1) for _ in range(batch)])
    corners = boxes(random, (batch, count, CORNERS), low, high)
    return np.concatenate((kinds, scores[..., None], corners), -1)


THRESHOLD = 0.5


def suppress(data: Array) -> Array:
    """Return the boxes that overlap no better one of their class, best first; -1 for the rest."""
    result = np.full_like(data, -1)
    for found, items in zip(result, data, strict=True):
        order = items[np.argsort(-items[:, 1], kind="stable")]
        alike = order[:, None, 0] == order[None, :, 0]
        near = alike & (overlap(order[:, 2:], order[:, 2:]) > THRESHOLD)
        kept: list[int] = []
        for at in range(len(order)):
            if not near[at, kept].any():
                kept.append(at)
        found[: len(kept)] = order[kept]
    return result


class BoxNMS(Detection):
    """Non-maximum suppression: drop boxes that overlap a better one of their class.

    Typical are 400 boxes of each of 8 images, as SSD keeps them.
    """

    tensors = {"data": Tensor(low=-1, high=2, differentiable=False, initializer=detections)}
    sizes = {
        size: {"data": (batch, count, ITEM)}
        for size, (batch, count) in {
            "small": (2, 32),
            "typical": (8, 400),
            "large": (32, 1000),
            "skewed": (1, 301),
        }.items()
    }
    reference = suppress

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 3)
        self.require(self.inputs["data"][2] == ITEM, "data", f"must have {ITEM} columns")
        return (self.inputs["data"],)

    def flop_count(self) -> int:
        """Return 14 FLOP a pair of boxes, at most."""
        batch, count, _ = self.inputs["data"]
        return 7 * int(batch) * int(count) ** 2
