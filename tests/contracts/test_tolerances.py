"""The check sees what is wrong in any element, however small: of every operator, in every dtype.

What is spoiled is the reference's own answer, as the dtype holds it, so that nothing depends on a
framework or a processor. What an operator's declared tolerance lets through stands in it, with the
reason; the rest is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.checking.expectation import Expectation
from opperf.core.checking.tolerance import RELATIVE, SMALLEST_NORMAL
from opperf.core.tensors.tensor import FLOATS, round_to
from opperf.declaring.registry import operators
from opperf.operators.random.dropout import DropoutOperator
from opperf.operators.random.random import RandomOperator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from opperf.core.checking.tolerance import Bound
    from opperf.declaring.declaration import Declaration

    Numbers = NDArray[Any]

DECADES = ("Exp", "Exp2", "Rsqrt", "Polygamma", "SoftmaxCrossEntropyLoss")
HALF_A_PERCENT = 0.005
"""More than the default tolerance of all dtypes but bfloat16, which rounds by nearly as much."""


def test_whatever_is_spoiled_of_an_output_is_found(kind: type[Declaration]) -> None:
    """Of random samples what all of them share is compared, in test_operators.py."""
    if issubclass(kind, RandomOperator):
        pytest.skip("no single sample is right or wrong")
    for expectation in expectations(kind):
        operator = expectation.operator
        right = held(expectation.outputs(training=False), operator.output_dtypes())
        bound = operator.tolerance.bound(operator.output_dtypes()[0])

        def fault(wrong: Sequence[Numbers], expectation: Expectation = expectation) -> str | None:
            return expectation.check_outputs(wrong, training=False).fault

        assert fault(right) is None, operator.dtype
        for position, output in enumerate(right):
            for what, wrong in spoilings(output, bound, kind.unseen_elements):
                changed = [*right[:position], wrong, *right[position + 1 :]]
                assert fault(changed) is not None, (operator.dtype, position, what)


def test_whatever_is_spoiled_of_a_gradient_is_found(kind: type[Declaration]) -> None:
    """Of what a framework draws, the draw decides the gradient: that is in test_operators.py."""
    if not kind.differentiable:
        pytest.skip("no gradient")
    if issubclass(kind, DropoutOperator) or kind.drawn_gradient is not None:
        pytest.skip("what is drawn decides the gradient")
    for expectation in expectations(kind):
        operator = expectation.operator
        right = dict(
            zip(
                expectation.gradients,
                held([*expectation.gradients.values()], [operator.dtype] * len(operator.tensors)),
                strict=True,
            )
        )
        bound = expectation.gradient_bound
        assert expectation.check_gradients(right).fault is None, operator.dtype
        for name, gradient in right.items():
            for what, wrong in spoilings(gradient, bound, ""):
                found = expectation.check_gradients({**right, name: wrong}).fault
                assert found is not None, (operator.dtype, name, what)


@pytest.mark.parametrize("name", DECADES)
def test_nothing_hides_beside_what_is_decades_larger(name: str) -> None:
    """Whatever is declared: 0.5 % of a small element are seen in single precision, 20 % in half."""
    for expectation in expectations(operators()[name]):
        dtype = expectation.operator.dtype
        error = 0.2 if dtype in {"float16", "bfloat16"} else HALF_A_PERCENT
        (output,) = held(expectation.outputs(training=False), [dtype])
        at = smallest(output, SMALLEST_NORMAL[dtype])
        wrong = with_element(output.astype(float), at, lambda x, share=error: x * (1 + share))
        assert expectation.check_outputs([wrong], training=False).fault, dtype
        gradients = held([*expectation.gradients.values()], [dtype] * 2)
        for by, gradient in zip(expectation.gradients, gradients, strict=True):
            at = smallest(gradient, SMALLEST_NORMAL[dtype])
            wrong = with_element(gradient.astype(float), at, lambda x, share=error: x * (1 + share))
            assert expectation.check_gradients({by: wrong}).fault, (dtype, by)


def smallest(values: Numbers, normal: float) -> int:
    """Return where the smallest element is whose digits the dtype and differences can tell."""
    sizes = np.abs(values.astype(float)).ravel()
    least = max(normal, 1e-5 * float(np.sqrt(np.mean(sizes**2))))
    return int(np.where(sizes >= least, sizes, np.inf).argmin())


def expectations(kind: type[Declaration]) -> Iterator[Expectation]:
    """Yield what is expected in each floating-point dtype, or in what the operator has instead."""
    for dtype in [dtype for dtype in kind.dtypes if dtype in FLOATS] or kind.dtypes[:1]:
        yield Expectation(kind(inputs={"dtype": dtype}, size="small"), seed=0)


def held(arrays: Sequence[Numbers], kinds: Sequence[str]) -> list[Numbers]:
    """Return arrays as the declared dtypes would hold them."""
    pairs = zip(arrays, kinds, strict=False)
    return [
        round_to(array, kind) if kind in FLOATS and array.dtype.kind == "f" else array
        for array, kind in pairs
    ]


def spoilings(right: Numbers, bound: Bound, unseen: str) -> Iterator[tuple[str, Numbers]]:
    """Yield what is wrong by name: single elements, half of them, all of them.

    An element of a sum may be off by what the sum's terms are rounded by, and no less is found.
    """
    if right.dtype.kind == "b":
        yield "one", with_element(right, right.size // 2, lambda value: not value)
        return
    if right.dtype.kind in "iu" or not np.any(right) or not bound.rtol:
        yield "one", with_element(right, right.size // 2, lambda value: value + 1)
        return
    values = right.astype(float)
    sizes = np.where(np.isfinite(values), np.abs(values), 0).ravel()
    places = np.flatnonzero(sizes)
    typical = float(np.sqrt(np.mean(sizes**2)))
    small = places[sizes[places].argmin()]
    large = places[np.abs(sizes[places] - typical).argmin()]
    allowed = bound.rtol * np.maximum(sizes, bound.smallest) + bound.atol * typical
    for name, at in () if unseen else (("small", small), ("typical", large)):
        away = np.sign(values.flat[at]) * 4 * allowed[at]
        yield f"{name} element", with_element(values, at, lambda value, by=away: value + by)
    if not bound.atol and sizes[small] >= bound.smallest:
        yield "small element zeroed", with_element(values, small, lambda _: 0.0)
        if bound.rtol < HALF_A_PERCENT:
            yield "half a percent", with_element(values, small, lambda x: x * (1 + HALF_A_PERCENT))
    half = values.copy()
    half.flat[places[::2]] = 0
    yield "half zeroed", half
    yield "all scaled", np.where(np.isfinite(values), values * (1 + 4 * bound.rtol), values)


def with_element(values: Numbers, at: int, change: Callable[[Any], Any]) -> Numbers:
    """Return a copy with one element changed."""
    changed = values.copy()
    changed.flat[at] = change(changed.flat[at])
    return changed


def test_who_bounds_elements_absolutely_says_why(kind: type[Declaration]) -> None:
    """Whatever is not the default carries its reason, and no element-wise operator a long sum's."""
    for tolerance in (kind.tolerance, kind.gradient_tolerance):
        assert tolerance == RELATIVE or tolerance.reason
