"""Operands that lie otherwise in memory: made before the clock starts, and told by the record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.registry import find_framework
from opperf.core.preparing.preparation import Preparation
from opperf.core.tensors.tensor import CHANNELS_LAST, TRANSPOSED
from opperf.declaring.description import describe_inputs
from opperf.measuring.attempt import Attempt
from opperf.operators.arithmetic.layouts import AddTransposed
from opperf.operators.convolution.variants import Conv2DChannelsLast
from opperf.operators.normalization.batch_norm_variants import BatchNormChannelsLast


@pytest.mark.parametrize(
    ("layout", "shape", "order"),
    [(TRANSPOSED, (2, 3), (1, 0)), (CHANNELS_LAST, (2, 3, 4, 5), (0, 2, 3, 1))],
)
@pytest.mark.parametrize("name", ["numpy", "pytorch"])
def test_a_layout_changes_strides_only(name: str, layout: str, shape: Any, order: Any) -> None:
    """Shape and values stay, and in the layout's order the axes lie densely one in the other."""
    framework: Any = find_framework(name)
    if not framework.is_installed():
        pytest.skip(f"{name} is not installed")
    framework.load(1)
    values = np.arange(float(np.prod(shape))).reshape(shape)
    tensor = framework.tensor(values, "float64", "cpu", differentiable=False)
    array = framework.array(framework.lay_out(tensor, layout))
    np.testing.assert_array_equal(array, values)
    assert array.transpose(order).flags.c_contiguous
    assert not array.flags.c_contiguous


def test_a_framework_without_layouts_says_so() -> None:
    """MXNet stores arrays in one way."""
    framework = find_framework("mxnet")
    with pytest.raises(UnsupportedError, match="mxnet has no transposed tensors"):
        framework.lay_out(None, TRANSPOSED)


def test_the_record_tells_the_layout() -> None:
    """So that a series of one layout is not continued by another."""
    assert [found["layout"] for found in describe_inputs(AddTransposed())] == [
        "contiguous",
        TRANSPOSED,
    ]


def test_gradients_come_as_the_next_operator_leaves_them() -> None:
    """Where channels are last in the output, they are in the gradient by it, and in leaves."""
    framework: Any = find_framework("pytorch")
    if not framework.is_installed():
        pytest.skip("pytorch is not installed")
    framework.load(1)
    for kind in (Conv2DChannelsLast, BatchNormChannelsLast):
        attempt = Attempt(kind(size="small"), framework, "cpu", Settings())
        implementation = framework.implementation(kind, variant="only")
        preparation = Preparation(framework, attempt.case("only"), implementation)
        for tensor in (*preparation.cotangents, preparation.tensors["data"]):
            assert tensor.is_contiguous(memory_format=framework.torch.channels_last)
        assert preparation.tensors["data"].is_leaf
        assert preparation.tensors["data"].requires_grad
