"""PyTorch's reductions."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def mean_first(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Compose: torch returns the variance before the mean."""

    def composition() -> Any:
        variance, mean = call(data, dim=axis, correction=0)
        return mean, variance

    return composition


def product_of_numbers(
    replace: Callable[..., Any], multiply: Callable[..., Any], data: Any, *, axis: int
) -> Step:
    """NaN -> 1, infinities kept -> product."""
    options = {"nan": 1.0, "posinf": inf, "neginf": -inf}
    return lambda: multiply(replace(data, **options), axis)


def square_sums(
    lengths: Callable[..., Any], stack: Callable[..., Any], square: Callable[..., Any],
    *tensors: Any,
) -> Step:  # fmt: skip
    """Norms of all tensors in one call -> stack -> square."""
    return lambda: square(stack(lengths(tensors)))
