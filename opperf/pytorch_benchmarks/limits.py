"""What PyTorch does wrongly, where tables of several categories share it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.limitation import BACKWARD, Limitation, SizeThreshold, rounded_sums

if TYPE_CHECKING:
    from collections.abc import Callable


def row_sums(count: Callable[[Any], int]) -> tuple[Limitation, ...]:
    """Return the limitations of parameters' gradients that are sums over so many rows."""
    return tuple(
        rounded_sums(dtype, SizeThreshold(limit, "rows", count), BACKWARD)
        for dtype, limit in (("float16", 2048), ("bfloat16", 1024))
    )


def rows(operator: Any) -> int:
    """Return how many rows a layer normalization has."""
    return prod(operator.inputs["data"][:-1])


def looked_up(operator: Any) -> int:
    """Return how many rows an embedding looks up."""
    return prod(operator.inputs["data"])
