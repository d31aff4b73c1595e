"""What fused operators are filled with, and what they refuse."""

from __future__ import annotations

import re

import numpy as np
import pytest

from opperf.core.checking.expectation import Expectation
from opperf.core.errors import UsageError
from opperf.declaring.registry import find_operator


@pytest.mark.parametrize(
    ("name", "inputs", "words"),
    [
        ("ConvBias", {"bias": (8,)}, "ConvBias: bias=(8,): must be (8, 1, 1)"),
        (
            "ConvAddReLU",
            {"data": (1, 8, 16, 16), "residual": (1, 8, 16, 15)},
            "ConvAddReLU: residual=",
        ),
        ("PointwiseDepthwiseConv2D", {"weight": (16, 8, 3, 3)}, "windows of one pixel"),
        (
            "PointwiseDepthwiseConv2D",
            {"depthwise_weight": (16, 2, 3, 3)},
            "16 filters of 1 channel",
        ),
        (
            "PointwiseDepthwiseConv2D",
            {"bias": (16,), "depthwise_bias": (15,)},
            "depthwise_bias=(15,): must be",
        ),
        (
            "DenseAdd",
            {"bias": (64,), "residual": (16, 63)},
            "DenseAdd: residual=(16, 63): must be (16, 64)",
        ),
    ],
)
def test_tensors_that_do_not_fit_are_named(
    name: str, inputs: dict[str, object], words: str
) -> None:
    """With the operator, though a part of it would refuse them as well."""
    with pytest.raises(UsageError, match=re.escape(words)):
        find_operator(name)(inputs=inputs, size="small")


@pytest.mark.parametrize(
    ("name", "kinks"), [("ConvReLU", (0,)), ("ConvReLU6", (0, 6)), ("ConvHardSwish", (-3, 3))]
)
@pytest.mark.parametrize("size", ["small", "skewed"])
def test_no_sum_is_near_a_kink(name: str, kinks: tuple[int, ...], size: str) -> None:
    """So that rounding does not decide a gradient; and there are sums on each side of it."""
    kind = find_operator(name)
    expectation = Expectation(kind(size=size), seed=0)
    (sums,) = kind.parts(kind(size=size))[0].evaluate(expectation.exact)
    for kink in kinks:
        assert np.abs(sums - kink).min() > 0.25
        assert np.any(sums < kink)
        assert np.any(sums > kink)
