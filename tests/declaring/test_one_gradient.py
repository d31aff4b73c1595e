"""The backward of an operator by one of its inputs: what is left of the operator."""

from __future__ import annotations

import numpy as np
import pytest

from opperf.core.checking.expectation import Expectation
from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import MEASURED, find_framework
from opperf.declaring.one_gradient import OneGradient
from opperf.declaring.registry import operators
from opperf.operators.gemm.gemm import Dense, Dot
from opperf.operators.gemm.gradients import DenseWeightGradient, DotLeftGradient, DotRightGradient
from opperf.running.namespace import runnable

KINDS = [kind for kind in operators().values() if issubclass(kind, OneGradient)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name())
def test_one_input_is_differentiated_in_one_direction(kind: type[OneGradient]) -> None:
    """All that is measured is the backward, by the input that the class names."""
    operator = kind(size="small")
    assert operator.rows() == (("only", "backward"),)
    assert [name for name, tensor in kind.tensors.items() if tensor.differentiable] == [kind.by]
    assert set(Expectation(operator, 0).gradients) == {kind.by}


def test_the_gradient_is_that_of_the_operator() -> None:
    """Of the same inputs and cotangents it is the same array."""
    whole = Expectation(Dense(size="small"), 0).gradients
    alone = Expectation(DenseWeightGradient(size="small"), 0).gradients
    assert np.array_equal(alone["weight"], whole["weight"])


def test_both_gradients_together_are_the_backward() -> None:
    """The operations of the parts add up to those declared of the whole."""
    parts = (DotLeftGradient(size="small"), DotRightGradient(size="small"))
    (whole, _), *found = (one.counts()["backward"] for one in (Dot(size="small"), *parts))
    assert whole == sum(count or 0 for count, _ in found)


def test_it_is_computed_as_the_operator_is() -> None:
    """Tables need no line for it, nor a namespace that fixes the framework."""
    for name in MEASURED:
        framework = find_framework(name)
        expected = framework.implementation(Dot, variant="only")
        assert expected is not None
        for kind in (DotLeftGradient, runnable(DotLeftGradient, name)):
            assert framework.implementation(kind, variant="only") is expected


def test_the_only_direction_cannot_be_left_out() -> None:
    """Inputs that ask for no backward are refused, as there would be nothing to measure."""
    with pytest.raises(UsageError, match="nothing else is measured"):
        DotLeftGradient(inputs={"run_backward": False})


def test_whole_numbers_have_no_gradient() -> None:
    """Of the operator's dtypes those stay that can be differentiated."""
    assert "int64" in Dot.dtypes
    assert set(DotLeftGradient.dtypes) == {"float64", "float32", "float16", "bfloat16"}


@pytest.mark.parametrize("name", MEASURED)
def test_the_older_figure_is_the_backward(name: str) -> None:
    """Where neither both directions nor a forward were measured, users see what there is."""
    framework = find_framework(name)
    if not framework.is_installed():
        pytest.skip(f"{name} is not installed")
    gradient = runnable(DotLeftGradient)(framework=name, size="small", runs=6, warmup=1)
    gradient.run_benchmark()
    figure = f"{framework.prefix}_DotLeftGradient_Backward_Time"
    assert [*gradient.get_benchmark_results()] == [figure]
