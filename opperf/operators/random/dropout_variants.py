"""Channel dropout and alpha dropout, checked as in dropout.py."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_TERMS
from opperf.core.tensors.tensor import Tensor
from opperf.operators.random.dropout import Dropout
from opperf.operators.random.random import near

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.checking.check import Check
    from opperf.core.checking.correctness import Comparison
    from opperf.core.tensors.tensor import Array, Shape


class Dropout2D(Dropout):
    """Channel dropout: data * mask / (1 - p) with one mask value per channel of an image.

    Typical is a layer of ENet, for 8 images.
    """

    spatial = 2
    tags: ClassVar[tuple[str, ...]] = ()
    sizes = {
        "small": {"data": (4, 64, 8, 8)},
        "typical": {"data": (8, 128, 64, 64)},
        "large": {"data": (32, 128, 128, 128)},
        "skewed": {"data": (1, 1009, 1, 7)},
    }

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", self.spatial + 2)
        return super().outputs()

    def share(self, keep_mask: Array) -> Comparison:
        """Compare the share of kept channels; the elements of a channel are not independent."""
        p, (batch, channels, *_) = self.inputs["p"], self.inputs["data"]
        deviation = sqrt(p * (1 - p) / (batch * channels))
        return near("share of elements kept", float(keep_mask.mean()), 1 - p, deviation)

    def check_outputs(self, check: Check[Sequence[Array]]) -> Comparison:
        """Compare the elements kept, and require that channels are kept as a whole."""
        found = super().check_outputs(check)
        if check.training and not found.fault:
            actual = check.actual[0]
            keep_mask = (actual != 0).reshape(*actual.shape[:2], -1)
            whole = (keep_mask.all(-1) | ~keep_mask.any(-1)).mean()
            found = found.worst(near("share of whole channels", float(whole), 1.0, 0.0, 1e-3))
        return found


class Dropout3D(Dropout2D):
    """Channel dropout of volumes."""

    spatial = 3
    sizes = {
        "small": {"data": (4, 64, 4, 4, 4)},
        "typical": {"data": (2, 64, 16, 32, 32)},
        "large": {"data": (4, 128, 16, 64, 64)},
        "skewed": {"data": (1, 1009, 1, 1, 7)},
    }


SATURATION = -1.7580993408473766
"""The lower limit of SELU (Klambauer et al. 2017): minus its scale times alpha."""
ROUNDING = 1e-3
"""The distance from the saturation value within which an output counts as dropped."""


def affine(p: float) -> tuple[float, float]:
    """Return the factor and offset that restore mean 0 and variance 1 (their section 3)."""
    factor = 1 / sqrt((1 - p) * (1 + p * SATURATION**2))
    return factor, -factor * p * SATURATION


def alpha_dropout_training(data: Array, *, p: float) -> Array:
    """Return factor * data + offset, the value of the elements that are kept."""
    factor, offset = affine(p)
    return factor * data + offset


def alpha_dropout_gradient(cotangents: Sequence[Array], data: Array, *, p: float) -> tuple[Array]:
    """Return factor * cotangent, for the elements that are kept."""
    del data
    return (cotangents[0] * affine(p)[0],)


class AlphaDropout(Dropout):
    """factor * where(mask, data, saturation) + offset, keeping mean 0 and variance 1.

    Elements are drawn away from the saturation value, so that it tells which were dropped.
    """

    tensors = {"data": Tensor(low=-1.5, high=1.5)}
    tags: ClassVar[tuple[str, ...]] = ()
    dtypes = ("float64", "float32")
    training_reference = alpha_dropout_training
    gradient = alpha_dropout_gradient
    tolerance = CANCELING_TERMS.because("factor x + offset near its zero")

    def keep_mask(self, output: Array, arrays: Sequence[Array]) -> Array:
        """Return where the output differs from the rescaled saturation value."""
        del arrays  # whatever they are, that is the same
        factor, offset = affine(self.inputs["p"])
        return np.abs(output - (factor * SATURATION + offset)) >= ROUNDING
