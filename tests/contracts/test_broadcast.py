"""Declared gradients of operators that broadcast, in both directions, against the reference."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from opperf.core.checking.derivative import directional_derivative
from opperf.core.checking.expectation import Expectation
from opperf.core.errors import OpperfError
from opperf.declaring.registry import operators

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.declaring.declaration import Declaration

Case = tuple[str, str, tuple[int, ...]]


def repeated_inputs() -> Iterator[Case]:
    """Yield operator, input and a shape that is repeated along an axis to give the same output."""
    for name, kind in operators().items():
        if kind.gradient is None or not kind.differentiable:
            continue
        usual = kind(inputs={"dtype": "float64"}, size="small")
        if len(usual.shapes) < 2 or not broadcasts(usual):
            continue
        for tensor, shape in usual.shapes.items():
            for axis, size in enumerate(shape):
                if size > 1 and kind.tensors[tensor].differentiable:
                    narrow = (*shape[:axis], 1, *shape[axis + 1 :])
                    if outputs_of(kind, tensor, narrow) == usual.outputs():
                        yield name, tensor, narrow


def broadcasts(operator: Declaration) -> bool:
    """Return whether the output has the shape that NumPy would give the inputs together."""
    try:
        return np.broadcast_shapes(*operator.shapes.values()) == operator.outputs()[0]
    except ValueError:
        return False


def outputs_of(
    kind: type[Declaration], tensor: str, shape: tuple[int, ...]
) -> tuple[tuple[int, ...], ...] | None:
    """Return the shapes of the outputs, None where the operator does not take the input."""
    try:
        return kind(inputs={tensor: shape, "dtype": "float64"}, size="small").outputs()
    except OpperfError:
        return None


@cache
def cases() -> list[Case]:
    """Return all of them."""
    return [*repeated_inputs()]


def test_the_operators_that_broadcast_are_found() -> None:
    """Those of two inputs with either of them, at least these."""
    found = {(name, tensor) for name, tensor, _ in cases()}
    assert {("CopySign", "lhs"), ("CopySign", "rhs"), ("FMax", "lhs"), ("AddReLU", "rhs")} <= found


@pytest.mark.parametrize(("name", "tensor", "shape"), cases(), ids=str)
def test_what_is_repeated_is_summed_again(name: str, tensor: str, shape: tuple[int, ...]) -> None:
    """The gradient has the input's shape, and is the reference's along random directions."""
    operator = operators()[name](inputs={tensor: shape, "dtype": "float64"}, size="small")
    expectation = Expectation(operator, seed=0)
    positions = {each: at for at, each in enumerate(expectation.arrays)}
    for each, gradient in expectation.gradients.items():
        assert gradient.shape == expectation.arrays[each].shape, each
        direction = np.random.default_rng(1).standard_normal(gradient.shape)
        slope = directional_derivative(
            expectation.reference, expectation.exact, positions[each], direction,
            expectation.cotangents,
        )  # fmt: skip
        size = np.linalg.norm(gradient) or 1.0
        assert abs(float((gradient * direction).sum()) - slope) < 1e-5 * size, each
