"""MXNet's sparse matrices."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def first_sparse(call: Callable[..., Any], data: Any, *others: Any, **options: Any) -> Step:
    """The call with the first matrix in compressed rows."""
    return partial(call, data.tostype("csr"), *others, **options)


def both_sparse(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """The call with both matrices in compressed rows."""
    return partial(call, lhs.tostype("csr"), rhs.tostype("csr"))


def by_vector(call: Callable[..., Any], view: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """Dot with the vector as a column -> reshape to a vector."""
    matrix, column = lhs.tostype("csr"), view(rhs, (-1, 1))
    return lambda: view(call(matrix, column), -1)
