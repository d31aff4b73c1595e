"""PyTorch's sparse matrices."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, simplefilter

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def compress(data: Any) -> Any:
    """Return a matrix in compressed rows; PyTorch warns, once, that these are in beta."""
    with catch_warnings():
        simplefilter("ignore", UserWarning)
        return data.to_sparse_csr()


def first_sparse(call: Callable[..., Any], data: Any, *others: Any) -> Step:
    """The call with the first matrix in compressed rows."""
    return partial(call, compress(data), *others)


def both_sparse(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """The call with both matrices in compressed rows."""
    return partial(call, compress(lhs), compress(rhs))


def coordinates(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """The call with the first matrix in coordinate format."""
    return partial(call, lhs.to_sparse_coo().coalesce(), rhs)


def to_sparse(call: Callable[..., Any], data: Any) -> Step:
    """to_sparse_csr, after one conversion beforehand, which warns."""
    compress(data)
    return partial(call, data)


def transpose_dot(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """lhs^T @ rhs; the transpose is a view in compressed columns."""
    return partial(call, compress(lhs).t(), rhs)


def norm(call: Callable[..., Any], data: Any) -> Step:
    """The norm of the stored values, which are a view."""
    matrix = compress(data)
    return lambda: call(matrix.values(), keepdim=True)


def count(call: Callable[..., Any], make: Callable[..., Any], data: Any) -> Step:
    """A tensor of the number of stored elements, which is known without reading them."""
    matrix = compress(data)
    return lambda: make([call(matrix)])
