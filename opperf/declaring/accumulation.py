"""What is lost where a framework rounds a sum after every element, mostly to half precision.

Such a sum stops growing, or walks off at random. Both frameworks add up some things in float32
instead and lose nothing; this is about the others.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

from opperf.core.checking.tolerance import ROUNDED_STEPS
from opperf.core.frameworks.limitation import Limitation, Threshold

FORWARD = ("forward", "forward_recorded")
BACKWARD = ("backward", "forward_backward")
EXPONENTIALS = ROUNDED_STEPS.with_rtol(
    "MXNet adds up a row's exponentials in float16, which loses up to a twenty-fifth", float16=4e-2
)


def along_axis(limit: int) -> Threshold:
    """Return the threshold of so many elements along the axis that an operator works along."""

    def count(operator: Any) -> int:
        return int(operator.inputs["data"][operator.inputs["axis"]])

    return Threshold(limit, "elements along the axis", count)


def in_one_tensor(limit: int) -> Threshold:
    """Return the threshold of so many elements in the largest of an operator's tensors."""

    def count(operator: Any) -> int:
        return max(map(prod, operator.shapes.values()))

    return Threshold(limit, "elements of a tensor", count)


def rounded_sums(
    framework: str, dtype: str, beyond: Threshold, directions: tuple[str, ...] = ()
) -> Limitation:
    """Return the limitation of sums of more terms than a threshold.

    Each threshold was found with the default seed: a power of two up to which no element of some
    thousand sums was beyond the tolerance, where twice as many terms were.
    """
    return Limitation(
        framework=framework,
        dtypes=(dtype,),
        directions=directions,
        words="of the scale, allowed",
        note=f"its sums are rounded to {dtype} after every element",
        beyond=beyond,
    )


def unsafe_sums(beyond: Threshold, directions: tuple[str, ...]) -> Limitation:
    """Return the limitation of MXNet's float16 sums that an environment variable lifts.

    It is not set here: float32 is then added up in float64, which takes longer.
    """
    found = rounded_sums("mxnet", "float16", beyond, directions)
    return replace(found, note=f"{found.note}, unless MXNET_SAFE_ACCUMULATION=1")
