"""MXNet's linear algebra; its np.linalg.qr would be NumPy's own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import BoundCall

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def qr(factor: Callable[..., Any], transpose: Callable[..., Any], data: Any) -> Step:
    """Transpose -> gelqf -> transpose: the LQ factors of the transpose."""

    def composition() -> Any:
        rows, triangle = factor(transpose(data))
        return transpose(rows), transpose(triangle)

    return composition


def svd(call: Callable[..., Any], data: Any) -> BoundCall:
    """np.linalg.svd, by an array of MXNet's NumPy interface."""
    array = data.as_np_ndarray()
    if data.grad is not None:
        array.attach_grad()
    return BoundCall(partial(call, array), (array,))


def eigen(factor: Callable[..., Any], transpose: Callable[..., Any], data: Any) -> Step:
    """Syevd -> transpose, values first: MXNet returns eigenvectors first, as rows."""

    def composition() -> Any:
        vectors, values = factor(data)
        return values, transpose(vectors)

    return composition


def cholesky_solve(call: Callable[..., Any], rhs: Any, factor: Any) -> Step:
    """Trsm with the factor -> trsm with its transpose."""
    return lambda: call(factor, call(factor, rhs), transpose=True)
