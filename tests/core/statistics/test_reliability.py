"""The one rule of what is not to be relied on."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from opperf.core.statistics.reliability import is_noisy, widest_reliable
from opperf.core.statistics.summary import Summary, summarize

STEADY = summarize([1.0, 1.001, 1.002] * 10)


def noisy(summary: Summary, *, precision: float = 0.02, disturbed: bool = False) -> bool:
    """Return what the rule says."""
    return is_noisy(summary, precision=precision, disturbed=disturbed)


@pytest.mark.parametrize(
    ("asked", "widest"), [(0.005, 0.05), (0.02, 0.05), (0.025, 0.05), (0.05, 0.1), (0.5, 1.0)]
)
def test_the_limit_fits_what_was_asked_for(asked: float, widest: float) -> None:
    """Twice the precision, and never below a twentieth; the limit itself is within."""
    assert widest_reliable(asked) == pytest.approx(widest)
    assert not noisy(replace(STEADY, precision=widest), precision=asked)
    assert noisy(replace(STEADY, precision=widest * 1.001), precision=asked)


def test_too_few_samples_for_an_interval_were_asked_for() -> None:
    """Six samples have one, unless something is wrong; of five nobody expects it."""
    without = replace(STEADY, precision=None, interval=None)
    assert noisy(replace(without, n=6))
    assert not noisy(replace(without, n=5))


def test_what_is_disturbed_is_unreliable_however_narrow() -> None:
    """The interval knows nothing of it."""
    assert not noisy(STEADY)
    assert noisy(STEADY, disturbed=True)


def test_shape_and_drift_alone_decide_nothing() -> None:
    """They are warnings; the interval holds what they do to the median."""
    for bimodal, drift, outliers in product([True, False], [0.0, 0.5], [0.0, 0.5]):
        assert not noisy(replace(STEADY, bimodal=bimodal, drift=drift, outlier_share=outliers))
