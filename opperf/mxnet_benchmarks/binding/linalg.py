"""MXNet's linear algebra; its np.linalg.qr would be NumPy's own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def qr(factor: Callable[..., Any], transpose: Callable[..., Any], data: Any) -> Step:
    """Transpose -> gelqf -> transpose: the LQ factors of the transpose."""

    def composition() -> Any:
        rows, triangle = factor(transpose(data))
        return transpose(rows), transpose(triangle)

    return composition


def svd(call: Callable[..., Any], data: Any) -> Bound:
    """np.linalg.svd, by an array of MXNet's NumPy interface."""
    array = data.as_np_ndarray()
    if data.grad is not None:
        array.attach_grad()
    return Bound(partial(call, array), (array,))
