"""Random sampling, checked by moments and support."""

from __future__ import annotations

from math import prod, sqrt
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.correctness import Comparison
from opperf.operator import Operator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array, Shape

SIGMAS = 5
MOMENTS = {"mean": (1, 0.0, 1.0), "variance": (2, 1.0, sqrt(2)), "fourth": (4, 3.0, sqrt(96))}
"""Power, expected value and standard deviation of each moment of the standard normal."""


def normal_random(*, loc: float, scale: float, shape: Shape) -> Array:
    """Draw from the normal distribution."""
    return np.random.default_rng(0).normal(loc, scale, shape)


class NormalRandom(Operator):
    """Samples of the normal distribution."""

    category = "random"
    attributes = {"loc": 0.0, "scale": 1.0, "shape": (1024, 1024)}
    sizes = {
        "small": {"shape": (64, 64)},
        "typical": {"shape": (1024, 1024)},
        "large": {"shape": (4096, 4096)},
        "skewed": {"shape": (10000, 10)},
    }
    reference = staticmethod(normal_random)
    differentiable = False

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape asked for."""
        self.require(self.inputs["scale"] > 0, "scale", "must be positive")
        return (self.inputs["shape"],)

    def flop_count(self) -> int:
        """Return none: how many it takes is the generator's own affair."""
        return 0

    def compare_outputs(self, actual: Sequence[Array], expected: Sequence[Array]) -> Comparison:
        """Compare mean, variance and fourth moment with the distribution's, within 5 sigma."""
        (values,) = actual
        if values.shape != expected[0].shape:
            return Comparison(fault=f"output has shape {values.shape}, not {expected[0].shape}")
        normal = (values.astype(float) - self.inputs["loc"]) / self.inputs["scale"]
        moments = {
            "mean": (1, 0.0, 1.0),
            "variance": (2, 1.0, sqrt(2)),
            "kurtosis": (4, 3.0, sqrt(96)),
        }
        for name, (power, expected_moment, deviation) in moments.items():
            found = float(np.mean(normal**power))
            allowed = SIGMAS * deviation / sqrt(prod(values.shape))
            if not abs(found - expected_moment) <= allowed:
                fault = f"{name} of the samples is {found:.6g}, expected {expected_moment}"
                return Comparison(
                    abs(found - expected_moment), 0.0, f"{fault} within {allowed:.2g}"
                )
        return Comparison()
