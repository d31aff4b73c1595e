"""PyTorch's linear algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.operators.linalg import diagonals

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def sum_of_logs(
    diagonal: Callable[..., Any], log: Callable[..., Any], add_up: Callable[..., Any], data: Any
) -> Step:
    """diagonal, a view -> log -> sum."""
    return lambda: add_up(log(diagonal(data, dim1=1, dim2=2)), 1)


def extract_triangles(call: Callable[..., Any], data: Any) -> Step:
    """data[:, rows, columns], with the triangle's positions made beforehand."""
    rows, columns = triangle(data, data.shape[-1])
    return lambda: call(data, (slice(None), rows, columns))


def make_triangles(zeros: Callable[..., Any], put: Callable[..., Any], data: Any) -> Step:
    """Zeros -> index_put_, with the triangles' positions made beforehand."""
    import torch

    count, elements = data.shape
    order = diagonals.order_of(elements)
    batch = torch.arange(count, device=data.device)[:, None]
    where = (batch, *triangle(data, order))
    shape, options = (count, order, order), {"dtype": data.dtype, "device": data.device}
    return lambda: put(zeros(shape, **options), where, data)


def triangle(data: Any, order: int) -> Any:
    """Return the row and column indices of a lower triangle."""
    import torch

    return torch.tril_indices(order, order, device=data.device).unbind()


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
