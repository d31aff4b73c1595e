"""Tolerances of sums that a framework may accumulate in half precision."""

from opperf.core.checking.tolerance import ROUNDED_STEPS

EXPONENTIALS = ROUNDED_STEPS.with_rtol(
    "a row's exponentials may be added up in float16, which loses up to a twenty-fifth",
    float16=4e-2,
)
