"""PyTorch's linear systems, spectra and batches of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def first_of(call: Callable[..., Any], *tensors: Any) -> Step:
    """Keep the first of several results."""

    def composition() -> Any:
        return call(*tensors)[0]

    return composition


def real_parts(call: Callable[..., Any], data: Any) -> Step:
    """A complex result -> view of its real parts."""

    def composition() -> Any:
        return call(data).real

    return composition


def real_pairs(call: Callable[..., Any], data: Any) -> Step:
    """Complex eigenvalues and eigenvectors -> views of their real parts."""

    def composition() -> Any:
        values, vectors = call(data)
        return values.real, vectors.real

    return composition
