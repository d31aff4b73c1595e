"""Which of MXNet's operators draw random numbers, and what is checked of their results."""

from __future__ import annotations

from math import sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from opperf.calls.measuring.distribution import mean_fault, nan_fault, range_fault, share_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.tensors.tensor import Array
    from opperf.mxnet_benchmarks.calling.arguments import OperatorArguments

    Attributes = Mapping[str, str]
    Judge = Callable[[Sequence[Array], Attributes], str | None]

ALWAYS = ("_random_", "_sample_", "_npi_random", "_shuffle", "sample_", "random_")
"""What the names of operators begin with whose results are random."""
DROPPED = "0.5"
"""The share that Dropout drops where nothing is said."""


def draws(operator: str, given: OperatorArguments) -> bool:
    """Return whether an operator's results are random, called like this."""
    attributes = given.attributes
    if operator.startswith(ALWAYS):
        return not operator.startswith("_random_pdf")
    if operator in ("Dropout", "_backward_Dropout"):
        on = given.training or attributes.get("mode") == "always"
        return on and float(attributes.get("p", DROPPED)) > 0
    if operator in ("RNN", "_backward_RNN"):
        return given.training and float(attributes.get("p", "0")) > 0
    if operator == "LeakyReLU":
        return given.training and attributes.get("act_type") == "rrelu"
    return False


def judge_drawn(operator: str) -> Judge:
    """Return what tells whether an operator's results may be what it is to draw."""
    return JUDGES.get(operator, judge_any)


def judge_any(arrays: Sequence[Array], attributes: Attributes) -> str | None:
    """Return whether something is NaN, where nothing more is known."""
    del attributes
    return nan_fault(arrays)


def judge_dropout(arrays: Sequence[Array], attributes: Attributes) -> str | None:
    """Compare the share of zeros with the probability of dropping."""
    p, zeros = float(attributes.get("p", DROPPED)), float(np.mean(arrays[0] == 0))
    if attributes.get("axes", "()") not in ("()", "[]"):  # whole rows are dropped together
        return nan_fault(arrays)
    return nan_fault(arrays) or share_fault("zeros", zeros, p, arrays[0])


def judge_uniform(arrays: Sequence[Array], attributes: Attributes) -> str | None:
    """Compare range and mean."""
    low, high = float(attributes.get("low", "0")), float(attributes.get("high", "1"))
    outside = range_fault(arrays[0], low, high)
    return outside or mean_fault(arrays[0], (low + high) / 2, (high - low) / sqrt(12))


def judge_normal(arrays: Sequence[Array], attributes: Attributes) -> str | None:
    """Compare the mean."""
    mean, deviation = float(attributes.get("loc", "0")), float(attributes.get("scale", "1"))
    return mean_fault(arrays[0], mean, deviation)


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "Dropout": judge_dropout,
        "_backward_Dropout": judge_dropout,
        "_random_uniform": judge_uniform,
        "_random_uniform_like": judge_uniform,
        "_random_normal": judge_normal,
        "_random_normal_like": judge_normal,
    }
)
