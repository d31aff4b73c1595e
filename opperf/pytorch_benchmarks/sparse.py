"""PyTorch's sparse matrices."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, simplefilter

from opperf.core.frameworks.implementation import built
from opperf.operators import sparse

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def compressed(data: Any) -> Any:
    """Return a matrix in compressed rows; torch says, once, that these are in beta."""
    with catch_warnings():
        simplefilter("ignore", UserWarning)
        return data.to_sparse_csr()


def first_sparse(call: Callable[..., Any], data: Any, *others: Any) -> Step:
    """Bind, with the first matrix in compressed rows."""
    return partial(call, compressed(data), *others)


def both_sparse(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """Bind, with both matrices in compressed rows."""
    return partial(call, compressed(lhs), compressed(rhs))


def coordinates(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """Bind, with the first matrix as coordinates."""
    return partial(call, lhs.to_sparse_coo().coalesce(), rhs)


def to_sparse(call: Callable[..., Any], data: Any) -> Step:
    """Bind, after one conversion, which warns."""
    compressed(data)
    return partial(call, data)


TABLE = {
    sparse.SparseDot: built("torch.sparse.mm", first_sparse),
    sparse.CooDot: built("torch.sparse.mm", coordinates),
    sparse.SparseMatVec: built("torch.mv", first_sparse),
    sparse.SparseAdd: built("torch.add", both_sparse),
    sparse.ToSparse: built("torch.Tensor.to_sparse_csr", to_sparse),
}
