"""The references of the Bessel functions, which PyTorch computes to float32's precision only."""

from __future__ import annotations

import numpy as np
import pytest

from opperf.operators.special.bessel import (
    bessel_j0,
    bessel_j1,
    bessel_y0,
    modified_i0,
    modified_i1,
)

POINTS = np.linspace(0.25, 6, 47)
ANGLES = (np.arange(4000) + 0.5) * np.pi / 4000


@pytest.mark.parametrize(
    ("series", "integrand"),
    [
        (bessel_j0, lambda x: np.cos(x * np.sin(ANGLES))),
        (bessel_j1, lambda x: np.cos(ANGLES - x * np.sin(ANGLES))),
        (modified_i0, lambda x: np.exp(x * np.cos(ANGLES))),
        (modified_i1, lambda x: np.exp(x * np.cos(ANGLES)) * np.cos(ANGLES)),
    ],
    ids=["J0", "J1", "I0", "I1"],
)
def test_series_equal_the_integrals(series: object, integrand: object) -> None:
    """Bessel's integrals (DLMF 10.9.2, 10.32.3) over a period converge faster than any power."""
    assert callable(series)
    assert callable(integrand)
    exact = np.array([integrand(x).mean() for x in POINTS])
    assert np.max(np.abs(series(POINTS) - exact) / (1 + np.abs(exact))) < 1e-14


def test_y0_satisfies_the_wronskian() -> None:
    """J1 Y0 - J0 Y1 is 2 / (pi x), Y1 being the negative slope of Y0 (DLMF 10.5.2)."""
    step = 1e-5
    slope = (bessel_y0(POINTS + step) - bessel_y0(POINTS - step)) / (2 * step)
    found = bessel_j1(POINTS) * bessel_y0(POINTS) + bessel_j0(POINTS) * slope
    np.testing.assert_allclose(found, 2 / (np.pi * POINTS), rtol=1e-6)


def test_y0_is_the_tabulated_one() -> None:
    """At 1 and 5, by Abramowitz and Stegun's table 9.1."""
    found = bessel_y0(np.array([1.0, 5.0]))
    np.testing.assert_allclose(found, [0.08825696421567698, -0.30851762524903376], rtol=1e-12)
