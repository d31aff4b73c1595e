"""MXNet's sparse matrices."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators import sparse

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def first_sparse(call: Callable[..., Any], data: Any, *others: Any, **options: Any) -> Step:
    """Bind, with the first matrix in compressed rows."""
    return partial(call, data.tostype("csr"), *others, **options)


def both_sparse(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """Bind, with both matrices in compressed rows."""
    return partial(call, lhs.tostype("csr"), rhs.tostype("csr"))


def by_vector(call: Callable[..., Any], view: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """Product with a view of the vector as a column -> view as a vector."""
    matrix, column = lhs.tostype("csr"), view(rhs, (-1, 1))
    return lambda: view(call(matrix, column), -1)


TABLE = {
    sparse.SparseDot: built("mxnet.nd.sparse.dot", first_sparse),
    sparse.SparseDotTransposed: built(
        "mxnet.nd.sparse.dot", partial(first_sparse, transpose_a=True)
    ),
    sparse.SparseMatVec: built("mxnet.nd.sparse.dot + mxnet.nd.NDArray.reshape", by_vector),
    sparse.SparseAdd: built("mxnet.nd.sparse.elemwise_add", both_sparse),
    sparse.ToSparse: native("mxnet.nd.cast_storage", stype="csr"),
    sparse.SparseNorm: built("mxnet.nd.sparse.norm", first_sparse),
    sparse.GetNNZ: built("mxnet.nd.contrib.getnnz", first_sparse),
}
