"""Local response normalization."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def sum_of_channels(data: Array, nsize: int) -> Array:
    """Sum each channel and its neighbors, `nsize` in all."""
    side = nsize // 2
    widths = [(0, 0)] * data.ndim
    widths[1] = (side, side)
    padded = np.pad(data, widths)
    return np.sum([padded[:, at : at + data.shape[1]] for at in range(nsize)], axis=0)


def scale_of(data: Array, alpha: float, knorm: float, nsize: int) -> Array:
    """Return knorm + alpha / nsize * sum(data^2) over the neighboring channels."""
    return knorm + alpha / nsize * sum_of_channels(data * data, nsize)


def normalize(data: Array, *, alpha: float, beta: float, knorm: float, nsize: int) -> Array:
    """Return data / scale^beta (Krizhevsky et al. 2012, section 3.3)."""
    return data * scale_of(data, alpha, knorm, nsize) ** -beta


def normalize_gradient(
    cotangents: Sequence[Array], data: Array, *, alpha: float, beta: float, knorm: float, nsize: int
) -> tuple[Array]:
    """Differentiate; each element contributes to the sums of all its neighbors."""
    scale = scale_of(data, alpha, knorm, nsize)
    shared = sum_of_channels(cotangents[0] * data * scale ** (-beta - 1), nsize)
    return (cotangents[0] * scale**-beta - 2 * alpha * beta / nsize * data * shared,)


class LocalResponseNorm(Declaration):
    """data / (knorm + alpha / nsize * sum(data^2 of neighboring channels))^beta.

    Typical is AlexNet's first layer for 4 images, with a larger alpha: its own 1e-4 changes no more
    than the tolerance.
    """

    tensors = {"data": Tensor()}
    attributes = {"alpha": 0.5, "beta": 0.75, "knorm": 2.0, "nsize": 5}
    sizes = {
        "small": {"data": (2, 8, 8, 8)},
        "typical": {"data": (4, 96, 55, 55)},
        "large": {"data": (32, 96, 55, 55)},
        "skewed": {"data": (3, 1021, 3, 5)},
    }
    reference = normalize
    gradient = normalize_gradient
    gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 4)
        self.require(self.inputs["knorm"] > 0, "knorm", "must be positive")
        nsize, most = self.inputs["nsize"], 2 * self.inputs["data"][1] - 1
        fits = 1 <= nsize <= most and nsize % 2 == 1
        self.require(fits, "nsize", f"must be odd and at most {most}, all channels beside one")
        return (self.inputs["data"],)

    def flop_count(self) -> int:
        """Return a square, nsize - 1 sums, two products, a sum and a power per element."""
        return (int(self.inputs["nsize"]) + 4) * prod(self.inputs["data"])
