"""What measuring one thing again and again shows, on generated times whose spread is known."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from opperf.core.repeatability import compare_repeats


def test_the_spreads_are_found_again() -> None:
    """Of 2 % between processes and 0.5 % inside; a ratio of two has the square root of two more."""
    random = np.random.default_rng(7)
    process = random.normal(0, 0.02, (400, 1))
    times = 1e-5 * np.exp(process + random.normal(0, 0.005, (400, 3)))
    found = compare_repeats("Add", "numpy", times.tolist())
    assert found is not None
    assert found.seconds == pytest.approx(1e-5, rel=0.01)
    assert found.inside == pytest.approx(sqrt(2) * 0.005, rel=0.1)
    assert found.between == pytest.approx(sqrt(2) * sqrt(0.02**2 + 0.005**2), rel=0.1)
    assert found.processes == 400


def test_what_can_be_told_from_noise() -> None:
    """Two runs need about two standard deviations, twelve pairs less than a third of that."""
    found = compare_repeats("Add", "numpy", [[1.0, 1.0], [1.02, 1.02], [0.98, 0.98]])
    assert found is not None
    assert found.inside == 0
    assert found.two_runs == pytest.approx(1.96 * found.between)
    assert found.twelve_pairs == pytest.approx(2.201 / sqrt(12) * found.between)


@pytest.mark.parametrize("times", [[], [[1.0, 1.0]], [[1.0], [2.0]]])
def test_one_process_shows_nothing(times: list[list[float]]) -> None:
    """Nor does one time in each: it takes two to differ."""
    assert compare_repeats("Add", "numpy", times) is None
