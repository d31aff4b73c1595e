from __future__ import annotations

import math

import numpy as np

from opperf.operators.activation.activation import erf

POINTS = np.concatenate([np.linspace(-7, 7, 20_001), [0.0, 5e-324, 1e-300, -math.inf, math.inf]])


def test_erf_equals_the_standard_library() -> None:
    """The vectorized error function is good to 1e-15 everywhere, between its table's points too."""
    exact = np.array([math.erf(point) for point in POINTS])
    assert np.max(np.abs(erf(POINTS) - exact)) < 1e-15


def test_erf_keeps_its_relative_precision_near_zero() -> None:
    """Near zero, where the function vanishes, the error is small against its value as well."""
    points = np.geomspace(1e-12, 0.1, 1000)
    exact = np.array([math.erf(point) for point in points])
    assert np.max(np.abs(erf(points) / exact - 1)) < 1e-13
