"""Numerical gradients of references, against the ones that calculus gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from opperf.core.checking.derivative import (
    directional_derivative,
    directional_errors,
    elementwise_gradient,
    full_gradient,
    unbroadcast,
)
from opperf.core.checking.tolerance import Bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

RANDOM = np.random.default_rng(0)
LEFT, RIGHT = RANDOM.uniform(0.5, 2, (4, 3)), RANDOM.uniform(0.5, 2, (4, 3))
SEED = RANDOM.standard_normal((4, 3))
MATRIX = RANDOM.standard_normal((3, 5))


def divide(lhs: Numbers, rhs: Numbers) -> list[Numbers]:
    """Return the quotient: an element-wise operator of two tensors."""
    return [lhs / rhs]


def multiply(lhs: Numbers, rhs: Numbers) -> list[Numbers]:
    """Return the matrix product and its square: two outputs."""
    product = lhs @ rhs
    return [product, product**2]


@pytest.mark.parametrize("differentiate", [elementwise_gradient, full_gradient])
@pytest.mark.parametrize(
    "shapes", [((4, 3), (4, 3)), ((4, 3), (3,)), ((4, 1), (4, 3)), ((), (1, 3))]
)
def test_a_quotient_has_the_gradients_of_the_textbook(
    differentiate: Callable[..., Numbers], shapes: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    """Both ways give 1/r and -l/r^2 times the cotangent, summed where broadcasting repeats."""
    lhs, rhs = (RANDOM.uniform(0.5, 2, shape) for shape in shapes)
    seed = RANDOM.standard_normal((lhs / rhs).shape)
    for position, expected in enumerate((seed / rhs, -seed * lhs / rhs**2)):
        found = differentiate(divide, [lhs, rhs], position, [seed])
        assert found.shape == shapes[position]
        assert found == pytest.approx(unbroadcast(expected, shapes[position]), rel=1e-7, abs=1e-8)


@pytest.mark.parametrize(("function", "slope"), [(np.exp, np.exp), (np.sin, np.cos)])
def test_the_element_wise_gradient_is_good_to_nine_digits(
    function: Callable[..., Numbers], slope: Callable[..., Numbers]
) -> None:
    """The fourth-order difference holds over the whole range of values, small and large."""
    values = np.linspace(-10, 10, 401)
    found = elementwise_gradient(lambda x: [function(x)], [values], 0, [np.ones(401)])
    scale = np.abs(slope(values)) + 1e-3
    assert np.max(np.abs(found - slope(values)) / scale) < 1e-8


def test_several_outputs_add_up() -> None:
    """A gradient collects what every output contributes."""
    product = LEFT @ MATRIX
    cotangents = [RANDOM.standard_normal(product.shape) for _ in range(2)]
    total = cotangents[0] + 2 * product * cotangents[1]
    found = [full_gradient(multiply, [LEFT, MATRIX], at, cotangents) for at in (0, 1)]
    assert found[0] == pytest.approx(total @ MATRIX.T, rel=1e-6, abs=1e-7)
    assert found[1] == pytest.approx(LEFT.T @ total, rel=1e-6, abs=1e-7)


def test_the_arrays_are_left_as_they_are() -> None:
    """Moving an element is taken back, also in the arrays that were handed in."""
    before = LEFT.copy()
    full_gradient(divide, [LEFT, RIGHT], 0, [SEED])
    elementwise_gradient(divide, [LEFT, RIGHT], 0, [SEED])
    assert np.array_equal(LEFT, before)


def test_a_directional_derivative_is_the_gradient_along_it() -> None:
    """Its value is the product of gradient and direction."""
    direction = RANDOM.standard_normal(LEFT.shape)
    found = directional_derivative(divide, [LEFT, RIGHT], 0, direction, [SEED])
    assert found == pytest.approx((direction * SEED / RIGHT).sum(), rel=1e-7)


def test_right_gradients_pass_along_random_directions() -> None:
    """The gradients of the textbook have no fault, in float32 either."""
    gradients = {0: SEED / RIGHT, 1: -SEED * LEFT / RIGHT**2}
    assert directional_errors(divide, [LEFT, RIGHT], [SEED], gradients, Bound(1e-6)).fault is None
    single = {at: gradient.astype("float32") for at, gradient in gradients.items()}
    assert directional_errors(divide, [LEFT, RIGHT], [SEED], single, Bound(1e-6)).fault is None


@pytest.mark.parametrize("wrong", ["element", "sign", "zero", "half", "scale", "nan", "shape"])
def test_wrong_gradients_are_caught_along_random_directions(wrong: str) -> None:
    """One wrong element among few, a wrong sign, nothing, half, too much, NaN and a wrong shape."""
    gradient = -SEED * LEFT / RIGHT**2
    spoiled = {
        "element": np.where(np.arange(12).reshape(4, 3) == 5, 1.01, 1) * gradient,
        "sign": -gradient,
        "zero": 0 * gradient,
        "half": gradient * (np.arange(12).reshape(4, 3) % 2),
        "scale": gradient * (1 + 4e-4),
        "nan": gradient + np.nan,
        "shape": gradient.T,
    }[wrong]
    found = directional_errors(
        divide, [LEFT, RIGHT], [SEED], {0: SEED / RIGHT, 1: spoiled}, Bound(1e-4)
    )
    assert found.fault is not None
    assert "1" in found.fault
    assert np.isfinite([found.max_abs_error, found.max_rel_error]).all()


@pytest.mark.parametrize(
    ("shape", "target"), [((4, 3), (4, 3)), ((4, 3), (3,)), ((4, 3), (1, 3)), ((2, 4, 3), ())]
)
def test_what_broadcasting_repeated_is_summed(
    shape: tuple[int, ...], target: tuple[int, ...]
) -> None:
    """The sum over repeated axes has the shape of the input, and counts the repetitions."""
    summed = unbroadcast(np.ones(shape), target)
    assert summed.shape == target
    assert summed.sum() == np.prod(shape)


def test_what_one_element_changes_is_not_rounded_away() -> None:
    """Differences are taken before they are summed: a million in another output costs no digit."""

    def far_apart(data: Numbers) -> list[Numbers]:
        return [data**2, np.full(3, 1e9)]

    data = np.array([1e-3, 1.0, 2.0])
    found = full_gradient(far_apart, [data], 0, [np.ones(3), np.ones(3)])
    assert found == pytest.approx(2 * data, rel=1e-7)


@pytest.mark.parametrize(("factor", "right"), [(0.5, True), (2.0, False)])
def test_along_directions_an_error_of_all_is_its_share(factor: float, right: bool) -> None:
    """Half the tolerance passes and twice does not, however many elements and decades there are."""
    data = np.exp(np.linspace(-9, 9, 10_001))
    gradients = {0: 2 * data * (1 + factor * 1e-3)}
    ones = [np.ones_like(data)]
    found = directional_errors(lambda x: [x**2], [data], ones, gradients, Bound(1e-3))
    assert (found.fault is None) is right
