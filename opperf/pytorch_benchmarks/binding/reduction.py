"""PyTorch's reductions."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def mean_first(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """var_mean with the mean first."""

    def composition() -> Any:
        variance, mean = call(data, dim=axis, correction=0)
        return mean, variance

    return composition


def product_of_numbers(
    replace: Callable[..., Any], multiply: Callable[..., Any], data: Any, *, axis: int
) -> Step:
    """nan_to_num with 1 for NaN -> prod."""
    options = {"nan": 1.0, "posinf": inf, "neginf": -inf}
    return lambda: multiply(replace(data, **options), axis)


def square_sums(
    lengths: Callable[..., Any], stack: Callable[..., Any], square: Callable[..., Any],
    *tensors: Any,
) -> Step:  # fmt: skip
    """_foreach_norm -> stack -> square."""
    return lambda: square(stack(lengths(tensors)))
