"""Limitations of PyTorch that tables of several categories share."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.limitation import BACKWARD, Limitation, SizeThreshold, rounded_sums

if TYPE_CHECKING:
    from collections.abc import Callable


def row_sums(count: Callable[[Any], int]) -> tuple[Limitation, ...]:
    """Return the limitations of parameters' gradients that are sums over this many rows."""
    return tuple(
        rounded_sums(dtype, SizeThreshold(limit, "rows", count), BACKWARD)
        for dtype, limit in (("float16", 2048), ("bfloat16", 1024))
    )


def rows(operator: Any) -> int:
    """Return the number of rows of a layer normalization."""
    return prod(operator.inputs["data"][:-1])


def lookup_count(operator: Any) -> int:
    """Return the number of rows that an embedding looks up."""
    return prod(operator.inputs["data"])
