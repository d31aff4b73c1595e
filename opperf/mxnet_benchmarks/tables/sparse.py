"""MXNet's callables for the operators of sparse, and their limitations."""

from __future__ import annotations

from functools import partial

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.binding.sparse import both_sparse, by_vector, first_sparse
from opperf.operators import sparse

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
