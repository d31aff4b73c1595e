"""What is checked of results that are random: what their distribution says of them all."""

from __future__ import annotations

from math import sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.calls.format.values import Constant
from opperf.calls.measuring.distribution import mean_fault, nan_fault, range_fault, share_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.tensors.tensor import Array

    Judge = Callable[[Sequence[Array], Mapping[str, Any]], str | None]


def judge_drawn(operator: str) -> Judge:
    """Return what tells whether an operator's results may be what it is to draw."""
    return JUDGES.get(operator, judge_any)


def judge_any(arrays: Sequence[Array], named: Mapping[str, Any]) -> str | None:
    """Return whether something is NaN, where nothing more is known."""
    del named
    return nan_fault(arrays)


def judge_nothing(arrays: Sequence[Array], named: Mapping[str, Any]) -> str | None:
    """Return nothing: memory as it was found may hold anything."""
    del arrays, named
    return None


def judge_dropout(arrays: Sequence[Array], named: Mapping[str, Any]) -> str | None:
    """Compare the share of zeros with the probability of dropping."""
    p = named.get("p", 0.5)
    return judge_any(arrays, named) or share_fault(
        "zeros", float(np.mean(arrays[0] == 0)), p, arrays[0]
    )


def judge_bernoulli(arrays: Sequence[Array], named: Mapping[str, Any]) -> str | None:
    """Compare the share of ones with the probability where that is a number; all else is zeros."""
    sample, p = arrays[0], named.get("p")
    if not np.isin(sample, (0.0, 1.0)).all():
        return "output 0 has other values than 0 and 1"
    return share_fault("ones", float(np.mean(sample)), p, sample) if isinstance(p, float) else None


def judge_uniform(arrays: Sequence[Array], named: Mapping[str, Any]) -> str | None:
    """Compare range and mean."""
    low, high = float(named.get("from", 0.0)), float(named.get("to", 1.0))
    sample = arrays[0]
    outside = range_fault(sample, low, high)
    return outside or mean_fault(sample, (low + high) / 2, (high - low) / sqrt(12))


def judge_normal(arrays: Sequence[Array], named: Mapping[str, Any]) -> str | None:
    """Compare the mean."""
    mean, deviation = number(named.get("mean", 0.0)), number(named.get("std", 1.0))
    return mean_fault(arrays[0], mean, deviation) if mean is not None and deviation else None


def number(value: Any) -> float | None:
    """Return a number, None of a tensor."""
    if isinstance(value, Constant):
        return float(value.name)
    return float(value) if isinstance(value, (int, float)) else None


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "native_dropout": judge_dropout, "dropout": judge_dropout, "dropout_": judge_dropout,
        "bernoulli": judge_bernoulli, "bernoulli_": judge_bernoulli,
        "rand": judge_uniform, "rand_like": judge_uniform, "uniform_": judge_uniform,
        "uniform": judge_uniform,
        "randn": judge_normal, "randn_like": judge_normal, "normal_": judge_normal,
        **dict.fromkeys(
            ("empty", "empty_like", "empty_strided", "empty_permuted", "new_empty",
             "new_empty_strided"),
            judge_nothing,
        ),
    }
)  # fmt: skip
