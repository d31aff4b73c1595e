"""How sessions scatter about the true log ratio: a grid of scales and tails, weighed by the data.

Neither the standard deviation between sessions nor how heavy their tails are is known beforehand.
Each point of the grid is a scale of Student's t and its degrees of freedom; 3 forgives outliers, 30
is as good as normal.
"""

from __future__ import annotations

from math import lgamma, log, pi
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array

FREEDOMS = (3.0, 30.0)
SCALES = 13
SPAN = 4.0
"""How many times the first estimate the scale may be, either way."""
SMALLEST = 1e-4
"""The least standard deviation that is believed: 0.01 %."""
NORMAL = 1.4826
"""The standard deviation over the median absolute deviation, of a normal distribution."""
REACH, STEPS = 3.5, 71
"""How far about an estimate a level is looked for, in scales, and at how many points."""


class NoiseGrid:
    """A grid of scales and tails: arrays along its last axis are over the points of the grid."""

    def __init__(self, values: Sequence[float]) -> None:
        """Lay the grid about the scale that the first sessions of one contrast have."""
        found = np.asarray(values, dtype=float)
        spread = NORMAL * float(np.median(np.abs(found - np.median(found))))
        first = max(spread, SMALLEST)
        scales = first * np.geomspace(1 / SPAN, SPAN, SCALES)
        self.scale, self.freedom = (
            axis.ravel() for axis in np.meshgrid(scales, FREEDOMS, indexing="ij")
        )
        constants = [
            lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - log(freedom * pi) / 2
            for freedom in self.freedom
        ]
        self.constant = np.asarray(constants) - np.log(self.scale)
        self.offsets = np.linspace(-REACH, REACH, STEPS)[:, None]
        self.width = 2 * REACH / (STEPS - 1) * self.scale

    def levels(self, center: float) -> Array:
        """Return the levels that are tried about an estimate: offset by scale and tail."""
        found: Array = center + self.offsets * self.scale
        return found

    def likelihood(self, values: Sequence[float], levels: Array | float) -> Array:
        """Return the log likelihood that sessions about a level have these values."""
        total = np.zeros(np.broadcast_shapes(np.shape(levels), self.scale.shape))
        for value in values:
            squares = ((value - levels) / self.scale) ** 2
            total += self.constant - (self.freedom + 1) / 2 * np.log1p(squares / self.freedom)
        return total
