"""MXNet's linear systems, spectra and batches of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def eigen(factor: Callable[..., Any], transpose: Callable[..., Any], data: Any) -> Step:
    """Syevd -> transpose, values first: MXNet returns eigenvectors first, as rows."""

    def composition() -> Any:
        vectors, values = factor(data)
        return values, transpose(vectors)

    return composition


def cholesky_solve(call: Callable[..., Any], rhs: Any, factor: Any) -> Step:
    """Trsm with the factor -> trsm with its transpose."""
    return lambda: call(factor, call(factor, rhs), transpose=True)
