"""Ratios of two times as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.units import MISSING
from opperf.reporting.pairing import UNRELIABLE

if TYPE_CHECKING:
    from opperf.reporting.pairing import Ratio

NO_RATIO = "?"
"""Stands for a ratio of which either time is not to be relied on."""
DECIMALS = ((0.001, 0.1, 3), (0.1, 10, 2), (10, 100, 1), (100, 1e6, 0))


def ratio_text(ratio: Ratio | None) -> str:
    """Return a ratio, "?" where a time is not to be relied on, "-" where there are no two times."""
    if ratio is None:
        return MISSING
    if ratio.judgement == UNRELIABLE:
        return NO_RATIO
    return decimal_text(ratio.value)


def decimal_text(value: float) -> str:
    """Return a ratio's value with as many decimals as its size suits."""
    decimals = (digits for low, high, digits in DECIMALS if low <= value < high)
    digits = next(decimals, None)
    return f"{value:.2g}" if digits is None else f"{value:.{digits}f}"
